/** The stream client as seen from outside. */

/** What it saw; times in milliseconds. */
export interface StreamResult {
  /** Per short stream, those that warm up left out: from the request to the first chunk. */
  readonly firstBytesMs: readonly number[];
  /** Per chunk of the long stream, since the request was sent. */
  readonly arrivalsMs: readonly number[];
  /** Per chunk of the long stream: from the origin's write to its arrival. */
  readonly delaysMs: readonly number[];
}
