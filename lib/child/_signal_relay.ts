/** What a signal means to agrepl, which never ends by one while a child runs. */
interface RelayedSignal {
  readonly signal: Deno.Signal;
  /** Asks the program to end: the run then counts as interrupted. */
  readonly ends: boolean;
  /** A terminal sends it to the whole process group: the child has it already. */
  readonly fromTerminal: boolean;
}

const relayed: readonly RelayedSignal[] = [
  { signal: "SIGINT", ends: true, fromTerminal: true },
  ...(Deno.build.os === "windows" ? [] : [
    { signal: "SIGTERM", ends: true, fromTerminal: false },
    { signal: "SIGHUP", ends: true, fromTerminal: false },
    { signal: "SIGQUIT", ends: true, fromTerminal: true },
    { signal: "SIGUSR1", ends: false, fromTerminal: false },
    { signal: "SIGUSR2", ends: false, fromTerminal: false },
  ] as const),
];

/** Passes signals on to a child, from its making until it is disposed of. */
export class SignalRelay implements Disposable {
  readonly #listeners = new Map<Deno.Signal, () => void>();
  readonly #atTerminal = [Deno.stdin, Deno.stdout, Deno.stderr].some((stream) => stream.isTerminal());
  #process: Deno.ChildProcess | null = null;
  #ending = false;

  constructor() {
    for (const each of relayed) {
      const listener = () => this.#take(each);
      this.#listeners.set(each.signal, listener);
      Deno.addSignalListener(each.signal, listener);
    }
  }

  /** Whether a signal has come that asks programs to end. */
  get ending(): boolean {
    return this.#ending;
  }

  /** Names the child; to be called before anything is awaited. */
  lead(process: Deno.ChildProcess): void {
    this.#process = process;
  }

  [Symbol.dispose](): void {
    for (const [signal, listener] of this.#listeners) Deno.removeSignalListener(signal, listener);
  }

  #take({ signal, ends, fromTerminal }: RelayedSignal): void {
    this.#ending ||= ends;
    if (fromTerminal && this.#atTerminal) return;
    try {
      this.#process?.kill(signal);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error; // TypeError: the child has ended already
    }
  }
}
