/**
 * The error for a remote store that does not do what it should.
 *
 * @module
 */

/** What went wrong, for a program: who asks may not, nothing is there, it is not what its name says, and so on. */
export type RemoteStoreCode = "denied" | "not_found" | "unreachable" | "damaged" | "conflict" | "failed";

/** A remote store that could not be used, or that holds something else than it says. */
export class RemoteStoreError extends Error {
  override readonly name = "RemoteStoreError";
  readonly code: RemoteStoreCode;
  /** What the command line ends with: 4 for the network and the service, 5 for what they gave. */
  readonly exitCode: number;

  /**
   * @param code What went wrong.
   * @param problem "Cannot <verb> <thing>: <what is>".
   * @param options The error behind it.
   */
  constructor(code: RemoteStoreCode, problem: string, options?: ErrorOptions) {
    super(problem, options);
    this.code = code;
    this.exitCode = code === "damaged" || code === "not_found" ? 5 : 4;
  }
}
