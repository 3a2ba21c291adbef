import { Buffer } from "node:buffer";
import { decodeContent } from "../key/mod.ts";
import type { BodyRedaction, Redactor } from "../redact/mod.ts";
import { type Body, type Chunk, type Header, headerValue } from "../step/mod.ts";
import type { BodySpool } from "../store/mod.ts";
import { shareChunks } from "./_chunk_shares.ts";
import { contentEncoding, decodedHeaders } from "./_content.ts";
import { spoolPieces } from "./_spool_pieces.ts";
import { StreamDecoder } from "./_stream_decoder.ts";

/** A response's copy, cleaned. */
export interface CopiedBody {
  readonly headers: readonly Header[];
  readonly body: Body;
  readonly decoded: boolean;
  readonly chunks: readonly Chunk[];
}

/** Takes a response's bytes aside while they pass. */
export interface ResponseCopy {
  /**
   * Takes the next piece, after the client was given it.
   *
   * @returns The disk's back-pressure.
   */
  push(bytes: Uint8Array, atMs: number): Promise<void> | undefined;
  finish(): Promise<CopiedBody>;
}

/** Chooses how a response is copied, by its content-encoding. */
export function copyResponse(headers: readonly Header[], redactor: Redactor, spool: BodySpool): ResponseCopy {
  const stored = redactor.headers(headers);
  const redaction = redactor.body(headerValue(headers, "content-type"));
  const encoding = contentEncoding(headers);
  return encoding === null
    ? new PlainCopy(stored, redaction, spool)
    : new EncodedCopy({ headers: stored, encoding, redaction, spool });
}

/** Redacted as it comes, spooled as it is. */
class PlainCopy implements ResponseCopy {
  readonly #headers: readonly Header[];
  readonly #redaction: BodyRedaction;
  readonly #spool: BodySpool;
  readonly #chunks: Chunk[] = [];

  constructor(headers: readonly Header[], redaction: BodyRedaction, spool: BodySpool) {
    this.#headers = headers;
    this.#redaction = redaction;
    this.#spool = spool;
  }

  push(bytes: Uint8Array, atMs: number): Promise<void> | undefined {
    this.#chunks.push([atMs, bytes.length]);
    return spoolPieces(this.#spool, this.#redaction.push(bytes));
  }

  async finish(): Promise<CopiedBody> {
    await spoolPieces(this.#spool, this.#redaction.end());
    return { headers: this.#headers, body: this.#spool.finish(), decoded: false, chunks: this.#chunks };
  }
}

/** Compressed bytes are held in memory up to this; nothing of them may reach a file before it was looked through. */
const heldLimitBytes = 4 * 1024 * 1024;

/** What a held body may decode to; beyond it is a bomb, and kept as it came. */
const decodedLimitBytes = 256 * 1024 * 1024;

interface EncodedSource {
  readonly headers: readonly Header[];
  readonly encoding: string;
  readonly redaction: BodyRedaction;
  readonly spool: BodySpool;
}

/** Looked through in its decoded form; stored as it came when nothing was found, decoded when something was. */
class EncodedCopy implements ResponseCopy {
  readonly #source: EncodedSource;
  readonly #chunks: Chunk[] = [];
  #held: Uint8Array[] = [];
  #bytes = 0;
  #decoder: StreamDecoder | null = null;
  #undecodable = false;

  constructor(source: EncodedSource) {
    this.#source = source;
  }

  push(bytes: Uint8Array, atMs: number): Promise<void> | undefined {
    this.#chunks.push([atMs, bytes.length]);
    this.#bytes += bytes.length;
    if (this.#undecodable) return this.#spoolRaw(bytes);
    if (this.#decoder !== null) return this.#decoder.write(bytes).then(() => {}); // after a break the rest is lost, as it was for the client
    this.#held.push(bytes);
    return this.#bytes > heldLimitBytes ? this.#startDecoding() : undefined;
  }

  async finish(): Promise<CopiedBody> {
    const { encoding, redaction, spool } = this.#source;
    if (this.#decoder !== null) {
      await this.#decoder.end();
      return this.#decoded();
    }
    if (this.#undecodable) {
      await spoolPieces(spool, redaction.end());
      return this.#raw();
    }
    const raw = this.#takeHeld();
    const plain = decodeContent(raw, encoding, decodedLimitBytes);
    const pieces = plain === null ? [] : [...redaction.push(plain), ...redaction.end()];
    if (redaction.found > 0) {
      await spoolPieces(spool, pieces);
      return this.#decoded();
    }
    await spool.push(raw);
    return this.#raw();
  }

  async #startDecoding(): Promise<void> {
    const held = this.#takeHeld();
    const decoder = new StreamDecoder(this.#source);
    if (await decoder.write(held) || await decoder.hasGiven()) {
      this.#decoder = decoder;
      return;
    }
    this.#undecodable = true; // it only says that it is encoded
    await this.#spoolRaw(held);
  }

  #spoolRaw(bytes: Uint8Array): Promise<void> | undefined {
    return spoolPieces(this.#source.spool, this.#source.redaction.push(bytes));
  }

  #raw(): CopiedBody {
    const { headers, spool } = this.#source;
    return { headers, body: spool.finish(), decoded: false, chunks: this.#chunks };
  }

  #takeHeld(): Uint8Array {
    const held = Buffer.concat(this.#held);
    this.#held = [];
    return held;
  }

  #decoded(): CopiedBody {
    const { headers, spool } = this.#source;
    const chunks = shareChunks(this.#chunks, this.#bytes, spool.bytes);
    return { headers: decodedHeaders(headers, spool.bytes), body: spool.finish(), decoded: true, chunks };
  }
}
