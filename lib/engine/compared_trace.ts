/**
 * A trace on disk as a comparison reads it.
 *
 * @module
 */
import { type ComparedBody, type ComparedFrame, type ComparedStep, type ComparedTrace, textBody } from "../diff/mod.ts";
import { canonicalLimitBytes, decodeContent } from "../key/mod.ts";
import { type Body, bodyBytes, decodeUtf8, type Frame, type Header, type RecordedResponse } from "../step/mod.ts";
import type { TraceEntry, TraceFile } from "../store/mod.ts";
import { contentEncoding } from "./_content.ts";

/** A longer body is compared by its bytes. */
const textLimitBytes = canonicalLimitBytes;
const pieceBytes = 1024 * 1024;

/**
 * A trace on disk as it is compared: steps are read when they are looked at, and not kept.
 *
 * @param trace Open for as long as the comparison goes on.
 * @param entries Its steps, with the keys by which they are matched.
 * @returns What `traceDifference()` takes.
 */
export function comparedTrace(trace: TraceFile, entries: readonly TraceEntry[]): ComparedTrace {
  return {
    keys: entries.map(({ key }) => key),
    step: (index) => {
      const entry = entries[index];
      if (entry === undefined) throw new RangeError(`Cannot read step ${index}: there are ${entries.length}`);
      return comparedStep(trace, entry);
    },
  };
}

function comparedStep(trace: TraceFile, entry: TraceEntry): ComparedStep {
  const step = trace.step(entry);
  const { seq, type, latencyMs, request, response, error } = step;
  return {
    seq,
    type,
    optional: step.optional === true,
    beganMs: Date.parse(step.timestamp),
    latencyMs,
    httpVersion: response?.httpVersion ?? request.httpVersion,
    method: request.method,
    url: request.url,
    request: { headers: request.headers, body: comparedBody(trace, entry, request) },
    response: response === undefined ? null : comparedResponse(trace, entry, response),
    error: error ?? null,
  };
}

function comparedResponse(trace: TraceFile, entry: TraceEntry, response: RecordedResponse): ComparedStep["response"] {
  const { status, statusText, headers, trailers, end, resetCode, frames = [] } = response;
  return {
    status,
    statusText,
    headers,
    trailers,
    end: resetCode === undefined ? end : `${end} ${resetCode}`,
    body: comparedBody(trace, entry, response),
    frames: frames.map((frame) => comparedFrame(trace, entry, frame)),
  };
}

function comparedFrame(trace: TraceFile, entry: TraceEntry, [, from, opcode, payload]: Frame): ComparedFrame {
  return { from, opcode, body: plainBody(trace, entry, payload) };
}

interface StoredMessage {
  readonly headers: readonly Header[];
  readonly body: Body;
  readonly decoded?: boolean;
}

/** A body whose content-encoding is undone, unless it cannot be. */
function comparedBody(trace: TraceFile, entry: TraceEntry, { headers, body, decoded }: StoredMessage): ComparedBody {
  const encoding = decoded === true ? null : contentEncoding(headers);
  if (encoding === null || bodyBytes(body) > textLimitBytes) return plainBody(trace, entry, body, encoding ?? "");
  const plain = decodeContent(trace.readBody(body, entry), encoding, textLimitBytes);
  return plain === null ? plainBody(trace, entry, body, encoding) : bytesBody(plain);
}

/** @param encoding What could not be undone; `""` where there was nothing to undo. */
function plainBody(trace: TraceFile, entry: TraceEntry, body: Body, encoding = ""): ComparedBody {
  if (body !== null && "text" in body && encoding === "") return textBody(body.text, bodyBytes(body));
  const bytes = bodyBytes(body);
  if (body !== null && "blob" in body) return new BlobBody({ trace, entry, body, encoding });
  if (bytes <= textLimitBytes && encoding === "") return bytesBody(trace.readBody(body, entry));
  return { bytes, text: null, pieces: () => piecesOf(trace, entry, body) };
}

interface BlobPlace {
  readonly trace: TraceFile;
  readonly entry: TraceEntry;
  readonly body: Body & { readonly blob: string };
  readonly encoding: string;
}

/** A blob, read only when its address does not tell it from another. */
class BlobBody implements ComparedBody {
  readonly bytes: number;
  readonly identity: string;
  readonly #place: BlobPlace;
  #read: ComparedBody | null = null;

  constructor(place: BlobPlace) {
    this.bytes = bodyBytes(place.body);
    this.identity = place.body.blob;
    this.#place = place;
  }

  get text(): string | null {
    const { trace, entry, body, encoding } = this.#place;
    if (this.bytes > textLimitBytes || encoding !== "") return null;
    this.#read ??= bytesBody(trace.readBody(body, entry));
    return this.#read.text;
  }

  pieces(): Iterable<Uint8Array> {
    return piecesOf(this.#place.trace, this.#place.entry, this.#place.body);
  }
}

function bytesBody(bytes: Uint8Array): ComparedBody {
  const text = decodeUtf8(bytes);
  return text === null ? { bytes: bytes.length, text, pieces: () => [bytes] } : textBody(text, bytes.length);
}

function* piecesOf(trace: TraceFile, entry: TraceEntry, body: Body): Iterable<Uint8Array> {
  using reader = trace.openBody(body, entry);
  while (reader.rest > 0) {
    const piece = reader.read(pieceBytes);
    if (piece.length === 0) return; // a blob that was cut short behind our back
    yield piece;
  }
}
