import {
  type Sandbox,
  type SandboxRefusal,
  type SandboxSettings,
  type SandboxSightings,
  startSandbox,
  UsageError,
} from "../child/mod.ts";
import type { IsolationLine } from "../report/mod.ts";
import type { CliContext } from "./_context.ts";
import type { SandboxOptions } from "./_options.ts";

/** What was asked for, and what it is asked for. */
export interface IsolationWish extends SandboxOptions {
  readonly layer: "auto" | "sandbox" | "deno" | "proxy";
  /** True when the network is to stay open. */
  readonly fallback: boolean;
  /** Hosts that the child is to reach by itself. */
  readonly bypass: readonly string[];
  /** The folder that the child starts in. */
  readonly cwd: string;
}

const proxyHolds = "proxy variables hold the child; agrepl itself has given up its network permission";
const sandboxHolds = "the child's network is a loopback of its own, on which every address leads to agrepl";

/** What holds a child: chosen when it begins, certain once it is open. */
export class Isolation implements AsyncDisposable {
  readonly #wish: IsolationWish;
  #box: Sandbox | null;
  #line: IsolationLine;

  private constructor(wish: IsolationWish, box: Sandbox | null, line: IsolationLine) {
    this.#wish = wish;
    this.#box = box;
    this.#line = line;
  }

  /**
   * Begins with the strongest layer that the wish allows: a sandbox is set up while other things are done.
   *
   * @throws {UsageError} when what is asked for by name cannot be had.
   */
  static begin(context: CliContext, wish: IsolationWish): Isolation {
    const { layer, fallback, cwd } = wish;
    if (layer === "deno") {
      throw new UsageError('Cannot isolate with "deno": this layer is not there yet; use auto, sandbox or proxy');
    }
    if (layer === "sandbox" && fallback) {
      throw new UsageError("Cannot hold the child in a sandbox with --fallback: it opens the network");
    }
    if (fallback) return new Isolation(wish, null, { held: "none", why: "--fallback keeps the network open" });
    if (layer === "proxy") return new Isolation(wish, null, { held: "proxy", why: `${proxyHolds}; it was asked for` });
    const isolation = new Isolation(wish, null, { held: "sandbox", why: sandboxHolds });
    const box = bypassRefusal(wish) ?? startSandbox({
      env: context.env,
      cwd,
      sockets: wish.allowSocket,
      locals: wish.allowLocal,
    });
    if ("kind" in box) isolation.#refuse(box);
    else isolation.#box = box;
    return isolation;
  }

  /** Where to start the child; `undefined` for here. */
  get sandbox(): Sandbox | undefined {
    return this.#box ?? undefined;
  }

  /** What holds, as far as is known. */
  get line(): IsolationLine {
    return this.#line;
  }

  /**
   * Waits until the child can be started.
   *
   * @throws {UsageError} when a sandbox was asked for and there is none.
   */
  async open(settings: SandboxSettings): Promise<void> {
    const refusal = await this.#box?.open(settings) ?? null;
    if (refusal === null) return;
    await this.#box?.[Symbol.asyncDispose]();
    this.#box = null;
    this.#refuse(refusal);
  }

  /** Ends it, and gives what the sandbox saw. */
  async close(): Promise<SandboxSightings | null> {
    const box = this.#box;
    this.#box = null;
    return box === null ? null : await box.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#box?.[Symbol.asyncDispose]();
  }

  #refuse({ reason, remedy }: SandboxRefusal): void {
    if (this.#wish.layer === "sandbox") {
      throw new UsageError(`Cannot make a sandbox: ${reason}. What may help: ${remedy}`);
    }
    const why = `no sandbox, since ${reason}; what may help: ${remedy}; the layer "deno" is not there yet`;
    this.#line = { held: "proxy", why: `${proxyHolds}; ${why}` };
  }
}

/** Out of a sandbox nothing can be reached directly, loopback included. */
function bypassRefusal({ bypass: [host] }: IsolationWish): SandboxRefusal | null {
  if (host === undefined) return null;
  return { kind: "refusal", reason: `--bypass lets the child reach "${host}" by itself`, remedy: "leave --bypass out" };
}
