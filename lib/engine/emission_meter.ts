/**
 * Counts what a door hands to its client, where it leaves agrepl, and holds it against what was stored.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import type { Emission } from "../diff/mod.ts";
import type { Header } from "../step/mod.ts";
import type { BodyReader } from "../store/mod.ts";

/** One response, as it goes out: fed by the door with what it sends, not with what it was given. */
export class EmissionMeter {
  readonly #stored: BodyReader;
  #status = 0;
  #headers: readonly Header[] = [];
  #trailers: readonly Header[] = [];
  #bytes = 0;
  #same = true;
  #finished = false;

  /** @param stored The stored body, read for this purpose alone: the bytes that went out are not their own witness. */
  constructor(stored: BodyReader) {
    this.#stored = stored;
  }

  /** False while nothing has gone out. */
  get begun(): boolean {
    return this.#status !== 0;
  }

  head(status: number, headers: readonly Header[]): void {
    this.#status = status;
    this.#headers = headers;
  }

  body(bytes: Uint8Array): void {
    this.#bytes += bytes.length;
    this.#same &&= Buffer.compare(this.#stored.read(bytes.length), bytes) === 0;
  }

  end(trailers: readonly Header[]): void {
    this.#trailers = trailers;
    this.#finished = true;
  }

  /** What has gone out. */
  emission(): Emission {
    return {
      status: this.#status,
      headers: this.#headers,
      bodyBytes: this.#bytes,
      sameBody: this.#same,
      trailers: this.#trailers,
      finished: this.#finished,
    };
  }
}
