import { Buffer } from "node:buffer";
import { decodeUtf8 } from "../step/mod.ts";

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

/**
 * Puts the live id into a recorded answer: K(s) leaves the id out, so the caller's may be another one.
 *
 * @param body The stored answer: a JSON object, or an event stream of them.
 * @returns The body with every top-level `"id"` of that value replaced, or the body itself when there is none.
 */
export function withLiveId(body: Uint8Array, recordedId: IdToken, liveId: IdToken): Uint8Array {
  const text = decodeUtf8(body);
  if (text === null || recordedId === liveId) return body;
  const lines = text.split("\n").map((line) => replaceInLine(line, recordedId, liveId));
  return Buffer.from(lines.join("\n"));
}

function replaceInLine(line: string, recordedId: IdToken, liveId: IdToken): string {
  const json = line.replace(/^data: ?/, "");
  const at = topLevelIdAt(json, recordedId);
  if (at === null) return line;
  const start = line.length - json.length + at;
  return line.slice(0, start) + liveId + line.slice(start + recordedId.length);
}

/** Where the value of the member "id" of the outermost object stands, if it is that id. */
function topLevelIdAt(json: string, id: IdToken): number | null {
  let depth = 0;
  for (const token of json.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]]/g)) {
    if (token[0] === "{" || token[0] === "[") depth++;
    else if (token[0] === "}" || token[0] === "]") depth--;
    else if (depth === 1 && token[0] === '"id"') {
      const value = /^\s*:\s*/.exec(json.slice(token.index + token[0].length));
      const at = token.index + token[0].length + (value?.[0].length ?? 0);
      if (value !== null && json.startsWith(id, at)) return at;
    }
  }
  return null;
}
