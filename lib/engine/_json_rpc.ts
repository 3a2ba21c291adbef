import { Buffer } from "node:buffer";
import { type Chunk, decodeUtf8 } from "../step/mod.ts";

/** A JSON-RPC id as it stands in a text: a number or a quoted string (JSON-RPC 2.0, section 4). */
type IdToken = string;

/**
 * Reads the id of a JSON-RPC request.
 *
 * @param text The request's body.
 * @returns The id's JSON, or `null` when the body is not one JSON-RPC call with an id.
 */
export function jsonRpcId(text: string | null): IdToken | null {
  if (text === null || !text.includes('"jsonrpc"')) return null;
  try {
    const call: unknown = JSON.parse(text);
    if (typeof call !== "object" || call === null || !("jsonrpc" in call) || !("id" in call)) return null;
    return call.id === null ? null : JSON.stringify(call.id);
  } catch {
    return null; // not JSON after all
  }
}

/** A body in which ids were replaced. */
export interface LiveBody {
  readonly bytes: Uint8Array;
  /** The boundaries of the recorded reads, moved by what the ids before them have grown or shrunk. */
  readonly chunks: readonly Chunk[];
}

/** A body as it is stored, and the ids to change in it. */
export interface RecordedAnswer {
  /** A JSON object, or an event stream of them; content-encoding undone. */
  readonly body: Uint8Array;
  readonly chunks: readonly Chunk[];
  readonly recordedId: IdToken;
  readonly liveId: IdToken;
}

/**
 * Puts the live id into a recorded answer: K(s) leaves the id out, so the caller's may be another one.
 *
 * @returns The answer with the top-level `"id"` of each of its objects replaced where it is the recorded one.
 */
export function withLiveId({ body, chunks, recordedId, liveId }: RecordedAnswer): LiveBody {
  const text = decodeUtf8(body);
  if (text === null) return { bytes: body, chunks };
  const starts = objectsOf(text)
    .map(({ start, json }) => ({ start, at: topLevelIdAt(json, recordedId) }))
    .flatMap(({ start, at }) => at === null ? [] : [start + at]);
  let from = 0;
  let live = "";
  for (const start of starts) {
    live += text.slice(from, start) + liveId;
    from = start + recordedId.length;
  }
  const bytes = Buffer.from(live + text.slice(from));
  const grownBytes = Buffer.byteLength(liveId) - Buffer.byteLength(recordedId);
  const startBytes = starts.map((start) => Buffer.byteLength(text.slice(0, start)));
  return { bytes, chunks: moveBoundaries(chunks, startBytes, grownBytes) };
}

/** The JSON objects of a body: itself, or the data of each of its events. */
function objectsOf(text: string): { readonly start: number; readonly json: string }[] {
  if (/^\s*\{/.test(text)) return [{ start: 0, json: text }];
  return [...text.matchAll(/^data: ?(.*)$/gm)].map(({ 0: line, 1: json = "", index }) => ({
    start: index + line.length - json.length,
    json,
  }));
}

/** Where the value of the member "id" of the outermost object stands, if it is that id. */
function topLevelIdAt(json: string, id: IdToken): number | null {
  let depth = 0;
  for (const token of json.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]]/g)) {
    if (token[0] === "{" || token[0] === "[") depth++;
    else if (token[0] === "}" || token[0] === "]") depth--;
    else if (depth === 1 && token[0] === '"id"') {
      const value = /^\s*:\s*([^\s,}]*|"(?:[^"\\]|\\.)*")\s*[,}]/.exec(json.slice(token.index + 4));
      if (value?.[1] === id) return token.index + 4 + value[0].indexOf(id);
    }
  }
  return null;
}

function moveBoundaries(chunks: readonly Chunk[], starts: readonly number[], grownBytes: number): Chunk[] {
  let end = 0;
  return chunks.map(([atMs, bytes]): Chunk => {
    const begin = end;
    end += bytes;
    const within = starts.filter((start) => start >= begin && start < end).length;
    return [atMs, Math.max(0, bytes + within * grownBytes)];
  });
}
