import { contentEncoding } from "../engine/mod.ts";
import { decodeContent } from "../key/mod.ts";
import { formatBytes } from "../report/mod.ts";
import { decodeUtf8, headerValue, type RecordedRequest, type RecordedResponse } from "../step/mod.ts";
import type { TraceEntry, TraceFile } from "../store/mod.ts";

/** More than this is not read on a screen. */
const shownBytes = 1024 * 1024;

/** A stored body as a person reads it: decoded, JSON indented, binary named by its size. Nothing stored changes. */
export function readableBody(trace: TraceFile, entry: TraceEntry, message: RecordedRequest | RecordedResponse): string {
  const raw = trace.readBody(message.body, entry);
  if (raw.length === 0) return "";
  const encoding = message.decoded === true ? null : contentEncoding(message.headers);
  const plain = encoding === null ? raw : decodeContent(raw, encoding, shownBytes);
  const text = plain === null ? null : decodeUtf8(plain);
  if (text === null || text.length > shownBytes) {
    return `(${formatBytes(raw.length)} of ${headerValue(message.headers, "content-type") ?? "unknown type"})`;
  }
  return indentedJson(text) ?? text;
}

function indentedJson(text: string): string | null {
  if (!/^\s*[{[]/.test(text)) return null;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return null; // not JSON: shown as it is
  }
}
