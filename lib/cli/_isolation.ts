import {
  type DenoRefusal,
  type Sandbox,
  type SandboxRefusal,
  type SandboxSettings,
  type SandboxSightings,
  startSandbox,
} from "../child/mod.ts";
import { UsageError } from "../report/mod.ts";
import type { IsolationLine } from "../report/mod.ts";
import type { CliContext } from "./_context.ts";
import type { SandboxOptions } from "./_options.ts";
import type { PreloadLayer } from "./_preload_layer.ts";

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
const denoHolds = "Deno refuses the network to the command's own process, which answers itself from the trace; " +
  "its subprocesses are held by proxy variables only";
const sandboxHolds = "the child's network is a loopback of its own, on which every address leads to agrepl";

/** What holds a child: chosen when it begins, certain once it is open. */
export class Isolation implements AsyncDisposable {
  readonly #wish: IsolationWish;
  #box: Sandbox | null = null;
  #preload: PreloadLayer | null = null;
  #line: IsolationLine;
  /** Why there is no sandbox, behind a semicolon. */
  #whyNoSandbox = "";

  private constructor(wish: IsolationWish, line: IsolationLine) {
    this.#wish = wish;
    this.#line = line;
  }

  /**
   * Begins with the strongest layer that the wish allows: a sandbox is set up while other things are done.
   *
   * @throws {UsageError} when what is asked for by name cannot be had.
   */
  static begin(context: CliContext, wish: IsolationWish): Isolation {
    const { layer, fallback, cwd } = wish;
    if (fallback) {
      if (layer === "sandbox") {
        throw new UsageError("Cannot hold the child in a sandbox with --fallback: it opens the network");
      }
      if (layer === "deno") {
        throw new UsageError('Cannot isolate with "deno" and --fallback: it opens the network');
      }
      return new Isolation(wish, { held: "none", why: "--fallback keeps the network open" });
    }
    const asked = layer === "auto" ? "" : "; it was asked for";
    const isolation = new Isolation(wish, { held: "proxy", why: `${proxyHolds}${asked}` });
    if (layer === "proxy" || layer === "deno") return isolation;
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

  /** What the child's own Deno is started with; `null` where that is not what holds it. */
  get preload(): PreloadLayer | null {
    return this.#preload;
  }

  /** What holds, as far as is known. */
  get line(): IsolationLine {
    return this.#line;
  }

  /**
   * Waits until the child can be started.
   *
   * @param settings For a sandbox.
   * @param makePreload Makes the layer below the sandbox, where the child is Deno.
   * @throws {UsageError} when a layer was asked for by name and there is none.
   */
  async open(settings: SandboxSettings, makePreload?: () => PreloadLayer | DenoRefusal): Promise<void> {
    if (this.#box !== null && await this.#openBox(this.#box, settings)) return;
    const { layer, fallback } = this.#wish;
    if (fallback || layer === "proxy" || makePreload === undefined) return;
    const made = makePreload();
    if (!("kind" in made)) {
      this.#preload = made;
      this.#line = { held: "deno", why: `${denoHolds}${this.#whyNoSandbox}` };
    } else if (layer === "deno") {
      throw new UsageError(`Cannot isolate with "deno": ${made.reason}; use auto, sandbox or proxy`);
    } else {
      const why = `${proxyHolds}${this.#whyNoSandbox}; Deno's own permissions do not hold it, since ${made.reason}`;
      this.#line = { held: "proxy", why };
    }
  }

  /** Ends it, and gives what the sandbox saw. */
  async close(): Promise<SandboxSightings | null> {
    const box = this.#box;
    this.#box = null;
    return box === null ? null : await box.close();
  }

  /** Takes note that a child's Deno never loaded the preload, so that nothing is known of what held it. */
  denyPreload(): void {
    this.#line = { held: "proxy", why: `${proxyHolds}; the command's Deno never loaded agrepl's preload` };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#preload?.[Symbol.dispose]();
    await this.#box?.[Symbol.asyncDispose]();
  }

  async #openBox(box: Sandbox, settings: SandboxSettings): Promise<boolean> {
    const refusal = await box.open(settings);
    if (refusal === null) {
      this.#line = { held: "sandbox", why: sandboxHolds };
      return true;
    }
    await box[Symbol.asyncDispose]();
    this.#box = null;
    this.#refuse(refusal);
    return false;
  }

  #refuse({ reason, remedy }: SandboxRefusal): void {
    if (this.#wish.layer === "sandbox") {
      throw new UsageError(`Cannot make a sandbox: ${reason}. What may help: ${remedy}`);
    }
    this.#whyNoSandbox = `; no sandbox, since ${reason}; what may help: ${remedy}`;
    this.#line = { held: "proxy", why: `${proxyHolds}${this.#whyNoSandbox}` };
  }
}

/** Out of a sandbox nothing can be reached directly, loopback included. */
function bypassRefusal({ bypass: [host] }: IsolationWish): SandboxRefusal | null {
  if (host === undefined) return null;
  return { kind: "refusal", reason: `--bypass lets the child reach "${host}" by itself`, remedy: "leave --bypass out" };
}
