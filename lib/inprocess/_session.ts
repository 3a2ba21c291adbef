import type { Step } from "../step/mod.ts";
import type { SessionOptions } from "./cassette_options.ts";
import type { Host } from "./host.ts";
import type { Isolation } from "./isolation.ts";
import type { CassetteMode } from "./mode.ts";
import type { Scope } from "./_scope.ts";

/** What a session is made with. */
export interface SessionParts {
  readonly options: SessionOptions;
  readonly host: Host;
}

/** How a function ended. */
export interface Ended {
  readonly failed: boolean;
  /** What it threw, when it failed. */
  readonly cause?: unknown;
}

/** A cassette in use. */
export interface Session extends Disposable {
  readonly mode: CassetteMode;
  readonly scope: Scope;
  readonly isolation: Isolation;
  /** Of a replay what the cassette holds, of a recording what has ended so far. */
  steps(): Step[];
  /** F so far. */
  fidelity(): number;
  /**
   * Ends what the function has begun, and draws the sum.
   *
   * @throws {ReplayDivergenceError} when a replay has diverged.
   */
  end(ended: Ended): Promise<void>;
}
