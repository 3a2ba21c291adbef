/**
 * What a function under capture is given.
 *
 * @module
 */
import type { Step } from "../step/mod.ts";
import { callStep } from "./_function_step.ts";
import type { Isolation } from "./isolation.ts";
import type { CassetteMode } from "./mode.ts";
import type { Session } from "./_session.ts";

/** A cassette in use: functions as steps, and how it goes. */
export interface ReplayScope {
  /** Whether the cassette is replayed or recorded. */
  readonly mode: CassetteMode;
  /** Of a replay the steps of the cassette, of a recording those that have ended so far; in the order of `seq`. */
  readonly steps: readonly Step[];
  /** What keeps the function from the network. */
  readonly isolation: Isolation;
  /**
   * Calls a tool of an agent, or gives what it gave when it was recorded.
   *
   * @param name The tool's.
   * @param args What it is called with, any JSON value: the same name and arguments get the same answer.
   * @param fn The tool itself; what it asks of the network and of other tools is not recorded, its value is.
   * @returns The value as JSON carries it.
   * @throws {TypeError} when JSON cannot carry the arguments or the value; the value's fails the recording.
   */
  tool<Value>(name: string, args: unknown, fn: () => Value | Promise<Value>): Promise<Value>;
  /**
   * Asks the system for something that changes from run to run: the time, a random number, a file.
   *
   * @param name Of what is asked.
   * @param fn Finds it out.
   * @returns The value as JSON carries it.
   */
  system<Value>(name: string, fn: () => Value | Promise<Value>): Promise<Value>;
  /**
   * Tells how much of the cassette has been replayed as it was recorded.
   *
   * @returns F so far, from 0 to 1; 1 while recording.
   */
  fidelity(): number;
}

/** Shows a session to the function that runs in it. */
export function toReplayScope(session: Session): ReplayScope {
  const { mode, isolation, scope } = session;
  return {
    mode,
    isolation,
    get steps() {
      return session.steps();
    },
    tool: (name, args, fn) => callStep(scope, { method: "TOOL", name, args, fn }),
    system: (name, fn) => callStep(scope, { method: "SYSTEM", name, args: undefined, fn }),
    fidelity: () => session.fidelity(),
  };
}
