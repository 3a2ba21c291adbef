import { reasonOf } from "./_system_error.ts";

/** What the system says of a disk that takes no more. */
const fullCodes: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT"]);

/** Keeps what could not be written, to tell it once: a full disk would fill the screen too. */
export class LossLog {
  readonly #root: string;
  #first: { readonly request: string; readonly error: unknown } | null = null;
  #exchanges = 0;
  #end: { readonly error: unknown } | null = null;

  /** @param root The store's folder, for the advice. */
  constructor(root: string) {
    this.#root = root;
  }

  /** Takes an exchange: `METHOD URL`, and why. */
  readonly takeExchange = (request: string, error: unknown): void => {
    this.#first ??= { request, error };
    this.#exchanges++;
  };

  /** Takes the end of the trace. */
  takeEnd(error: unknown): void {
    this.#end ??= { error };
  }

  /** Whether anything was lost. */
  get any(): boolean {
    return this.#first !== null || this.#end !== null;
  }

  /** A sentence for the exchanges, one for the end, and what to do about a full disk. */
  warnings(): string[] {
    const sentences = [...this.#exchangeSentences(), ...this.#endSentences()];
    const isFull = [this.#first, this.#end].some((each) => each !== null && isDiskFull(each.error));
    if (!isFull) return sentences;
    const advice =
      `Make room for "${this.#root}", or name another folder with AGREPL_DIR; what was recorded before can be replayed`;
    return [[...sentences, advice].join(". ")];
  }

  #exchangeSentences(): string[] {
    if (this.#first === null) return [];
    const { request, error } = this.#first;
    const more = this.#exchanges === 1 ? "" : ` and ${this.#exchanges - 1} more`;
    return [`Not recorded: ${request}${more}: ${reasonOf(error)}`];
  }

  #endSentences(): string[] {
    if (this.#end === null) return [];
    return [`The trace could not be ended: ${reasonOf(this.#end.error)}; agrepl verify tells what is left of it`];
  }
}

function isDiskFull(error: unknown): boolean {
  return error instanceof Error && "code" in error && fullCodes.has(error.code);
}
