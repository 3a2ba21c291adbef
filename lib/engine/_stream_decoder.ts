import { type Duplex, PassThrough, pipeline } from "node:stream";
import zlib from "node:zlib";
import type { BodyRedaction } from "../redact/mod.ts";
import type { BodySpool } from "../store/mod.ts";
import { spoolPieces } from "./_spool_pieces.ts";

/** What a decoder reads for and writes to. */
export interface DecoderOptions {
  /** In the order the codings were applied: `gzip, br`. */
  readonly encoding: string;
  readonly redaction: BodyRedaction;
  readonly spool: BodySpool;
}

/** Decodes what is too large to hold, on its way into the spool. A stream that breaks is kept up to the break. */
export class StreamDecoder {
  readonly #first: Duplex;
  readonly #done: Promise<void>;
  readonly #options: DecoderOptions;
  #given = 0;
  #failure: { readonly error: unknown } | null = null;

  constructor(options: DecoderOptions) {
    this.#options = options;
    const codings = options.encoding.split(",").map((coding) => coding.trim());
    const stages = codings.map(decoderFor).reverse(); // the coding applied last is undone first
    const last = stages.at(-1) ?? new PassThrough();
    this.#first = stages[0] ?? last;
    this.#done = this.#consume(last);
    // pipeline hands an error in any stage to the last one, where #consume() meets it
    if (stages.length > 1) pipeline(stages, () => {});
  }

  /** Gives false when the bytes are not what the coding promised. */
  write(bytes: Uint8Array): Promise<boolean> {
    if (this.#first.destroyed) return Promise.resolve(false);
    return new Promise((resolve) => {
      const broken = () => resolve(false); // a decoder that fails does not always call back
      this.#first.once("close", broken);
      this.#first.write(bytes, (error) => {
        this.#first.off("close", broken);
        resolve(!error && !this.#first.destroyed);
      });
    });
  }

  /** Tells, of a decoder that broke, whether anything came out before. */
  async hasGiven(): Promise<boolean> {
    await this.#done;
    return this.#given > 0;
  }

  /** Ends the stream; throws what the spool has thrown. */
  async end(): Promise<void> {
    this.#first.end();
    await this.#done;
    await spoolPieces(this.#options.spool, this.#options.redaction.end());
    if (this.#failure !== null) throw this.#failure.error;
  }

  async #consume(stage: Duplex): Promise<void> {
    try {
      for await (const bytes of stage) await this.#take(bytes);
    } catch {
      // The coding broke off. The client met the same bytes and the same break; the copy ends here.
    }
  }

  /** After a failure of the spool the rest is read all the same: whoever writes must not wait for ever. */
  async #take(bytes: Uint8Array): Promise<void> {
    this.#given += bytes.length;
    if (this.#failure !== null) return;
    try {
      await spoolPieces(this.#options.spool, this.#options.redaction.push(bytes));
    } catch (error) {
      this.#failure = { error };
    }
  }
}

function decoderFor(coding: string): Duplex {
  switch (coding) {
    case "gzip":
    case "x-gzip":
      return zlib.createGunzip();
    case "br":
      return zlib.createBrotliDecompress();
    case "zstd":
      return zlib.createZstdDecompress();
    case "identity":
    case "":
      return new PassThrough();
    default:
      return zlib.createInflate();
  }
}
