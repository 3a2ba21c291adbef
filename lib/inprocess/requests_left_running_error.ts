/**
 * The error for a function that ends while its requests still run.
 *
 * @module
 */
import { counted, shortened } from "./_error_lines.ts";

/** A function ended, and requests that it began did not: what they would have been answered depends on luck. */
export class RequestsLeftRunningError extends Error {
  /** The class, for whoever prints it. */
  override readonly name = "RequestsLeftRunningError";
  /** Stable: `requests_left_running`. */
  readonly code = "requests_left_running";
  /** The cassette's file; a recording leaves it as it was. */
  readonly path: string;
  /** Each as `GET https://…`, in the order in which they began. */
  readonly requests: readonly string[];

  /**
   * Names the requests.
   *
   * @param path The cassette's file.
   * @param requests Those that still ran, as `GET https://…`.
   */
  constructor(path: string, requests: readonly string[]) {
    super([
      `Cannot end "${path}": ${counted(requests.length, "request")} of its function still running. ` +
      "Await or abort each request, and close what stays open, before the function ends",
      ...shortened(requests.map((request) => `still running: ${request}`)),
    ].join("\n"));
    this.path = path;
    this.requests = requests;
  }
}
