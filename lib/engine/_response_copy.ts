import { Buffer } from "node:buffer";
import { decodeContent, decodeContentStart } from "../key/mod.ts";
import type { BodyRedaction, Redactor } from "../redact/mod.ts";
import { type Body, type Chunk, type Frame, type Header, headerValue } from "../step/mod.ts";
import type { BodySpool } from "../store/mod.ts";
import { shareChunks } from "./_chunk_shares.ts";
import { contentEncoding, decodedHeaders } from "./_content.ts";
import { SettledReads } from "./_settled_reads.ts";
import { spoolPieces } from "./_spool_pieces.ts";
import { StreamDecoder } from "./_stream_decoder.ts";

/** A response's copy, cleaned. */
export interface CopiedBody {
  readonly headers: readonly Header[];
  readonly body: Body;
  readonly decoded: boolean;
  readonly chunks: readonly Chunk[];
  /** Of a WebSocket, in place of a body. */
  readonly frames?: readonly Frame[];
}

/** What was taken aside of an answer, be it one response or all that a socket carried. */
export interface CopiedOutput {
  /**
   * Gives what is settled since the last cut, while no push is under way.
   *
   * @param next Where the rest of the body goes.
   * @returns `null` for a body that nothing can be told of before it has ended.
   */
  cut(next: () => BodySpool): CopiedBody | null;
  /** Gives what came since the last cut. */
  finish(): Promise<CopiedBody>;
}

/** Takes a response's bytes aside while they pass. */
export interface ResponseCopy extends CopiedOutput {
  /**
   * Takes the next piece, after the client was given it.
   *
   * @returns The disk's back-pressure.
   */
  push(bytes: Uint8Array, atMs: number): Promise<void> | undefined;
}

/** Chooses how a response is copied, by its content-encoding. */
export function copyResponse(headers: readonly Header[], redactor: Redactor, spool: BodySpool): ResponseCopy {
  const stored = redactor.headers(headers);
  const redact = () => redactor.body(headerValue(headers, "content-type"));
  const encoding = contentEncoding(headers);
  return encoding === null
    ? new PlainCopy(stored, redact(), spool)
    : new EncodedCopy({ headers: stored, encoding, redact, spool });
}

/** Redacted as it comes, spooled as it is. */
class PlainCopy implements ResponseCopy {
  readonly #headers: readonly Header[];
  readonly #redaction: BodyRedaction;
  readonly #reads = new SettledReads();
  #spool: BodySpool;

  /** @param chunks Those that have passed already. */
  constructor(headers: readonly Header[], redaction: BodyRedaction, spool: BodySpool, chunks: readonly Chunk[] = []) {
    this.#headers = headers;
    this.#redaction = redaction;
    this.#spool = spool;
    for (const chunk of chunks) this.#reads.note(chunk);
  }

  push(bytes: Uint8Array, atMs: number): Promise<void> | undefined {
    this.#reads.note([atMs, bytes.length]);
    return this.take(bytes);
  }

  /** Takes bytes whose chunks are noted already. */
  take(bytes: Uint8Array): Promise<void> | undefined {
    return spoolPieces(this.#spool, this.#reads.settle(this.#redaction.push(bytes)));
  }

  cut(next: () => BodySpool): CopiedBody {
    const chunks = this.#reads.take();
    if (chunks.length === 0) return this.#part(null, chunks);
    const body = this.#spool.finish();
    this.#spool = next();
    return this.#part(body, chunks);
  }

  async finish(): Promise<CopiedBody> {
    await spoolPieces(this.#spool, this.#reads.settle(this.#redaction.end()));
    return this.#part(this.#spool.finish(), this.#reads.take());
  }

  #part(body: Body, chunks: readonly Chunk[]): CopiedBody {
    return { headers: this.#headers, body, decoded: false, chunks };
  }
}

/** Compressed bytes are held in memory up to this; nothing of them may reach a file before it was looked through. */
const heldLimitBytes = 4 * 1024 * 1024;

/** What a held body may decode to; beyond it is a bomb, and kept as it came. */
const decodedLimitBytes = 128 * 1024 * 1024;

interface EncodedSource {
  readonly headers: readonly Header[];
  readonly encoding: string;
  /** Begins to look through the body, in one of its forms. */
  readonly redact: () => BodyRedaction;
  readonly spool: BodySpool;
}

/** Looked through in its decoded form; stored as it came when nothing was found, decoded when something was. */
class EncodedCopy implements ResponseCopy {
  readonly #source: EncodedSource;
  readonly #chunks: Chunk[] = [];
  #held: Uint8Array[] = [];
  #bytes = 0;
  #decoder: StreamDecoder | null = null;
  /** Of a body that only says that it is encoded. */
  #raw: PlainCopy | null = null;

  constructor(source: EncodedSource) {
    this.#source = source;
  }

  push(bytes: Uint8Array, atMs: number): Promise<void> | undefined {
    if (this.#raw !== null) return this.#raw.push(bytes, atMs);
    this.#chunks.push([atMs, bytes.length]);
    this.#bytes += bytes.length;
    if (this.#decoder !== null) return this.#decoder.write(bytes).then(() => {}); // after a break the rest is lost, as it was for the client
    this.#held.push(bytes);
    return this.#bytes > heldLimitBytes ? this.#startDecoding() : undefined;
  }

  /** Whether it is stored decoded, and so its head, is known only at the end. */
  cut(next: () => BodySpool): CopiedBody | null {
    return this.#raw?.cut(next) ?? null;
  }

  async finish(): Promise<CopiedBody> {
    if (this.#raw !== null) return await this.#raw.finish();
    if (this.#decoder !== null) {
      await this.#decoder.end();
      return this.#decoded();
    }
    const held = this.#takeHeld();
    const { encoding, redact, spool } = this.#source;
    const whole = decodeContent(held, encoding, decodedLimitBytes);
    const plain = whole ?? decodeContentStart(held, encoding, decodedLimitBytes);
    const redaction = redact();
    const pieces = plain === null ? [] : [...redaction.push(plain), ...redaction.end()];
    if (redaction.found > 0) {
      await spoolPieces(spool, pieces);
      return this.#decoded();
    }
    if (whole === null) return await (await this.#startRaw(held)).finish(); // it may be readable as it is
    await spool.push(held);
    return { headers: this.#source.headers, body: spool.finish(), decoded: false, chunks: this.#chunks };
  }

  async #startDecoding(): Promise<void> {
    const held = this.#takeHeld();
    const { encoding, redact, spool } = this.#source;
    const decoder = new StreamDecoder({ encoding, redaction: redact(), spool });
    if (await decoder.write(held) || await decoder.hasGiven()) this.#decoder = decoder;
    else await this.#startRaw(held);
  }

  async #startRaw(held: Uint8Array): Promise<PlainCopy> {
    const { headers, redact, spool } = this.#source;
    this.#raw = new PlainCopy(headers, redact(), spool, this.#chunks);
    await this.#raw.take(held);
    return this.#raw;
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
