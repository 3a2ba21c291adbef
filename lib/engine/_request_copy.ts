import { Buffer } from "node:buffer";
import { createHash, type Hash } from "node:crypto";
import { canonicalLimitBytes, type CompiledRules, decodeContent, keyOf, normalizeUrl, requestKey } from "../key/mod.ts";
import type { BodyRedaction, Piece, RedactedText, Redactor } from "../redact/mod.ts";
import { type Body, decodeUtf8, type Header, headerValue, type RequestHead } from "../step/mod.ts";
import type { BodySpool } from "../store/mod.ts";
import { contentEncoding, decodedHeaders } from "./_content.ts";
import { spoolPieces } from "./_spool_pieces.ts";

/** What a copy is made with: one set per run. */
export interface CopyContext {
  readonly redactor: Redactor;
  readonly rules: CompiledRules;
}

/** A request's copy, cleaned and keyed. */
export interface CopiedRequest {
  readonly key: string;
  readonly http2: boolean;
  readonly method: string;
  /** Redacted, as it is stored. */
  readonly url: string;
  readonly headers: readonly Header[];
  readonly body: Body;
  readonly decoded: boolean;
  /** The redacted body, decoded, where it is text and in memory. */
  readonly text: string | null;
  readonly bodyBytes: number;
}

const secretInKey = Buffer.from("[redacted]");

/** Takes a request's bytes aside while they pass: redaction first, then the key (design: K never depends on a secret). */
export class RequestCopy {
  readonly #head: RequestHead;
  readonly #context: CopyContext;
  readonly #url: RedactedText;
  readonly #headers: readonly Header[];
  readonly #spool: BodySpool | null;
  #held: Uint8Array[] = [];
  #bytes = 0;
  #large: { readonly redaction: BodyRedaction; readonly hash: Hash } | null = null;

  /**
   * @param spool Where a body too large for memory goes; `null` when nobody will read it again.
   */
  constructor(head: RequestHead, context: CopyContext, spool: BodySpool | null) {
    this.#head = head;
    this.#context = context;
    this.#spool = spool;
    this.#headers = context.redactor.headers(head.headers); // first: it learns the credentials that the rest may repeat
    this.#url = context.redactor.url(head.url);
  }

  /** Takes the next bytes; the promise is the disk's back-pressure. */
  push(bytes: Uint8Array): Promise<void> | undefined {
    this.#bytes += bytes.length;
    if (this.#large !== null) return this.#takeLarge(this.#large.redaction.push(bytes), this.#large.hash);
    this.#held.push(bytes);
    return this.#bytes > canonicalLimitBytes ? this.#growLarge() : undefined;
  }

  /** Ends the body; at once, unless something has to be written. */
  finish(): CopiedRequest | Promise<CopiedRequest> {
    if (this.#large !== null) return this.#finishLarge(this.#large);
    const { copied, stored } = this.#finishInMemory();
    return this.#spool === null || stored.length === 0 ? copied : this.#store(copied, stored, this.#spool);
  }

  async #store(copied: CopiedRequest, stored: Uint8Array, spool: BodySpool): Promise<CopiedRequest> {
    await spool.push(stored);
    return { ...copied, body: spool.finish() };
  }

  #growLarge(): Promise<void> | undefined {
    const redaction = this.#context.redactor.body(headerValue(this.#head.headers, "content-type"));
    this.#large = { redaction, hash: createHash("sha256") };
    const held = Buffer.concat(this.#held);
    this.#held = [];
    return this.#takeLarge(redaction.push(held), this.#large.hash);
  }

  #takeLarge(pieces: readonly Piece[], hash: Hash): Promise<void> | undefined {
    for (const piece of pieces) hash.update(piece.secret ? secretInKey : piece.stored);
    return this.#spool === null ? undefined : spoolPieces(this.#spool, pieces);
  }

  async #finishLarge(large: { redaction: BodyRedaction; hash: Hash }): Promise<CopiedRequest> {
    await this.#takeLarge(large.redaction.end(), large.hash);
    const url = normalizeUrl(this.#url.keyed, this.#context.rules.rules);
    return {
      http2: this.#head.httpVersion === "2",
      method: this.#head.method,
      url: this.#url.stored,
      headers: this.#headers,
      key: keyOf(this.#head.method, url, large.hash.digest("hex")),
      body: this.#spool?.finish() ?? null,
      decoded: false,
      text: null,
      bodyBytes: this.#bytes,
    };
  }

  #finishInMemory(): { readonly copied: CopiedRequest; readonly stored: Uint8Array } {
    const raw = this.#held.length === 1 && this.#held[0] !== undefined ? this.#held[0] : Buffer.concat(this.#held);
    const { method, headers } = this.#head;
    const encoding = contentEncoding(headers);
    const plain = encoding === null ? null : decodeContent(raw, encoding, canonicalLimitBytes);
    const contentType = headerValue(headers, "content-type");
    const clean = this.#clean(plain ?? raw, contentType);
    const decoded = plain !== null && clean.found > 0;
    const stored = plain === null || decoded ? clean.stored : raw;
    const copied = {
      key: requestKey({ method, url: this.#url.keyed, contentType, body: clean.keyed }, this.#context.rules),
      http2: this.#head.httpVersion === "2",
      method,
      url: this.#url.stored,
      headers: decoded ? decodedHeaders(this.#headers, stored.length) : this.#headers,
      body: null,
      decoded,
      text: stored.length === 0 ? "" : decodeUtf8(clean.stored),
      bodyBytes: raw.length,
    };
    return { copied, stored };
  }

  #clean(bytes: Uint8Array, contentType: string | undefined): CleanBody {
    if (bytes.length === 0) return { stored: bytes, keyed: bytes, found: 0 };
    const redaction = this.#context.redactor.body(contentType);
    const pieces = [...redaction.push(bytes), ...redaction.end()];
    if (!pieces.some((piece) => piece.secret)) return { stored: bytes, keyed: bytes, found: 0 };
    return {
      stored: Buffer.concat(pieces.map((piece) => piece.stored)),
      keyed: Buffer.concat(pieces.map((piece) => piece.secret ? secretInKey : piece.stored)),
      found: redaction.found,
    };
  }
}

interface CleanBody {
  readonly stored: Uint8Array;
  readonly keyed: Uint8Array;
  readonly found: number;
}
