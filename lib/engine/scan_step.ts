/**
 * What looks like a secret in a stored step, and where.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { decodeContent } from "../key/mod.ts";
import { randomTokens, redactCommand, type Redactor } from "../redact/mod.ts";
import { type Body, type Header, headerValue } from "../step/mod.ts";
import type { TraceEntry, TraceFile } from "../store/mod.ts";
import { contentEncoding } from "./_content.ts";
import { messagesOf } from "./_frame_messages.ts";

/** Something that looks like a secret. */
export interface SecretFinding {
  /** Of the step; `null` for the trace's header. */
  readonly seq: number | null;
  /** In words: `request header x-token`, `response body`. */
  readonly place: string;
  /** Of its first byte in that place, decoded. */
  readonly offset: number;
  readonly bytes: number;
  /** A few of its characters, to find it by; none of a short one. */
  readonly start: string;
  /** A rule knows it, or it only looks random. */
  readonly kind: "rule" | "random";
}

/** What a body may decode to; beyond it is looked through as it is. */
const decodedLimitBytes = 128 * 1024 * 1024;
const pieceBytes = 1024 * 1024;
/** A longer body is searched for what the rules know, and not for what only looks random. */
const randomLimitBytes = 4 * 1024 * 1024;

/** Request headers whose values are random and open nothing. */
const plainHeader =
  /request-id|trace|idempoten|if-none-match|if-match|sec-|b3|baggage|user-agent|accept|content-|agent|date|host|referer|stainless|organization|project|version/i;

/** Looks for secrets in places; the redactor learns the values that it meets. */
class Scanner {
  readonly findings: SecretFinding[] = [];
  readonly #redactor: Redactor;
  readonly #seq: number | null;

  constructor(redactor: Redactor, seq: number | null) {
    this.#redactor = redactor;
    this.#seq = seq;
  }

  headers(of: string, headers: readonly Header[], own: boolean): void {
    for (const [at, [name, stored]] of this.#redactor.headers(headers).entries()) {
      const place = `${of} ${name.toLowerCase()}`;
      this.compare(place, headers[at]?.[1] ?? "", stored);
      if (own && !plainHeader.test(name)) this.random(place, stored, true);
    }
  }

  text(place: string, text: string, stored: string): void {
    this.compare(place, text, stored);
    this.random(place, stored, false);
  }

  body(place: string, raw: Uint8Array, contentType: string | undefined): void {
    const redaction = this.#redactor.body(contentType);
    const kept: Uint8Array[] = [];
    let at = 0;
    const take = (pieces: ReturnType<typeof redaction.push>) => {
      for (const { stored, secret } of pieces) {
        const from = raw.subarray(at, at + stored.length);
        if (secret) this.compare(place, from, stored, at);
        if (raw.length <= randomLimitBytes) kept.push(stored);
        at += stored.length;
      }
    };
    for (let from = 0; from < raw.length; from += pieceBytes) {
      take(redaction.push(raw.subarray(from, from + pieceBytes)));
    }
    take(redaction.end());
    this.random(place, Buffer.concat(kept).toString("latin1"), false);
  }

  /** Lengths stay, so what differs is what was replaced. */
  compare(place: string, raw: string | Uint8Array, stored: string | Uint8Array, base = 0): void {
    const before = toBinary(raw);
    const after = toBinary(stored);
    let at = 0;
    while (at < before.length) {
      if (before[at] === after[at]) {
        at++;
        continue;
      }
      const end = replacedEnd(after, at);
      this.#add("rule", { place, offset: base + at, text: before.slice(at, end) });
      at = end;
    }
  }

  random(place: string, stored: string, anyName: boolean): void {
    for (const { start, end } of randomTokens(stored, anyName)) {
      this.#add("random", { place, offset: start, text: stored.slice(start, end) });
    }
  }

  #add(
    kind: SecretFinding["kind"],
    { place, offset, text }: { readonly place: string; readonly offset: number; readonly text: string },
  ): void {
    const start = text.length < 16 ? "" : text.slice(0, 4);
    this.findings.push({ seq: this.#seq, place, offset, bytes: text.length, start, kind });
  }
}

function toBinary(text: string | Uint8Array): string {
  return (typeof text === "string" ? Buffer.from(text, "utf8") : Buffer.from(text)).toString("latin1");
}

const placeholder = /(?:\[redacted-\d+\**\]|\*+)/y;

function replacedEnd(stored: string, at: number): number {
  placeholder.lastIndex = at;
  return placeholder.test(stored) ? Math.max(placeholder.lastIndex, at + 1) : at + 1;
}

/**
 * Looks through a stored step.
 *
 * @param trace The trace that holds the step.
 * @param entry The step.
 * @param redactor Learns what it meets, so that a second look finds more than the first.
 * @throws {TraceFormatError} when the step is damaged, or a blob is missing.
 */
export function scanStep(trace: TraceFile, entry: TraceEntry, redactor: Redactor): SecretFinding[] {
  const { seq, request, response, error } = trace.step(entry);
  const scanner = new Scanner(redactor, seq);
  const read = (body: Body) => trace.readBody(body, entry);
  scanner.headers("request header", request.headers, true);
  scanner.text("request URL", request.url, redactor.url(request.url).stored);
  scanner.headers("request trailer", request.trailers ?? [], false);
  scanBody(scanner, "request body", { ...request, bytes: read(request.body) });
  if (error !== undefined) scanner.text("error message", error.message, redactor.text(error.message).stored);
  if (response === undefined) return scanner.findings;
  scanner.text("status text", response.statusText, redactor.text(response.statusText).stored);
  scanner.headers("response header", response.headers, false);
  scanner.headers("response trailer", response.trailers, false);
  scanBody(scanner, "response body", { ...response, bytes: read(response.body) });
  const frames = response.frames ?? [];
  for (const message of messagesOf(frames)) { // a secret may lie across its frames
    const [first = 0] = message;
    const whole = Buffer.concat(message.map((at) => read(frames[at]?.[3] ?? null)));
    scanner.body(`frame ${first} of the ${frames[first]?.[1]}`, whole, undefined);
  }
  return scanner.findings;
}

interface ScannedBody {
  readonly headers: readonly Header[];
  readonly bytes: Uint8Array;
  readonly decoded?: boolean;
}

function scanBody(scanner: Scanner, place: string, { headers, bytes, decoded }: ScannedBody): void {
  if (bytes.length === 0) return;
  const encoding = decoded === true ? null : contentEncoding(headers);
  const plain = encoding === null ? null : decodeContent(bytes, encoding, decodedLimitBytes);
  scanner.body(place, plain ?? bytes, headerValue(headers, "content-type"));
}

/**
 * Looks through a trace's header.
 *
 * @param trace The trace.
 * @param redactor Learns what it meets.
 */
export function scanHeader({ header }: TraceFile, redactor: Redactor): SecretFinding[] {
  const scanner = new Scanner(redactor, null);
  for (const [at, stored] of redactCommand(redactor, header.command).entries()) {
    const place = `word ${at} of the command`;
    scanner.compare(place, header.command[at] ?? "", stored);
    scanner.random(place, stored, true);
  }
  return scanner.findings;
}
