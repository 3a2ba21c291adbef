import { decodeUtf8 } from "../step/mod.ts";
import { jsonRpcId, withLiveId } from "./_json_rpc.ts";

/** The ids of JSON-RPC calls on a socket: what they were while recording, and what they are now. */
export class RpcIds {
  readonly #live = new Map<string, string>();

  /** Notes the ids of a call, recorded and live. */
  learn(recorded: string | null, live: string | null): void {
    const [recordedId, liveId] = [jsonRpcId(recorded), jsonRpcId(live)];
    if (recordedId !== null && liveId !== null) this.#live.set(recordedId, liveId);
  }

  /** Puts the live id into a recorded answer. */
  toLive(stored: Uint8Array): Uint8Array {
    if (this.#live.size === 0) return stored;
    const text = decodeUtf8(stored);
    const recordedId = jsonRpcId(text);
    const liveId = recordedId === null ? undefined : this.#live.get(recordedId);
    if (recordedId === null || liveId === undefined || liveId === recordedId || isCall(text)) return stored;
    return withLiveId({ body: stored, chunks: [], recordedId, liveId }).bytes;
  }
}

/** A call of the server's own has an id of its own. */
function isCall(text: string | null): boolean {
  const value: unknown = JSON.parse(text ?? "null");
  return typeof value === "object" && value !== null && "method" in value;
}
