/** Puts an answer on the wire, each write at its time. */

import type { OutgoingMessage, ServerResponse } from "node:http";
import { setImmediate, setTimeout } from "node:timers/promises";
import type { Answer } from "./answer.ts";

/** When an answer's writes leave, and what stops them. */
export interface Pace {
  /** Per write: milliseconds since the request came, in ascending order. */
  readonly atMs: readonly number[];
  /** Aborted when the world ends. */
  readonly signal: AbortSignal;
}

/**
 * Sends an answer; ends early, without an error, when the client leaves.
 *
 * @param response Where to.
 * @param answer What.
 * @param pace When.
 * @throws {DOMException} when the world ends meanwhile.
 */
export async function sendAnswer(response: ServerResponse, answer: Answer, pace: Pace): Promise<void> {
  const startMs = performance.now();
  for (const [index, bytes] of answer.writes.entries()) {
    await pause(startMs + (pace.atMs[index] ?? 0) - performance.now(), index, pace.signal);
    if (response.destroyed) return;
    if (index === 0) writeHead(response, answer);
    await write(response, bytes);
  }
  response.end();
}

/** Without a delay the writes of a stream still leave one by one: each waits for a turn of the event loop. */
async function pause(waitMs: number, index: number, signal: AbortSignal): Promise<void> {
  if (waitMs > 0) await setTimeout(waitMs, undefined, { signal });
  else if (index > 0) await setImmediate(undefined, { signal });
}

function writeHead(response: ServerResponse, { status, headers, streamed, writes }: Answer): void {
  const length = streamed ? [] : ["content-length", String(writes[0]?.byteLength ?? 0)];
  response.sendDate = false;
  response.writeHead(status, [...headers.flat(), ...length]);
}

async function write(response: OutgoingMessage, bytes: Uint8Array): Promise<void> {
  if (response.write(bytes)) return;
  await new Promise<void>((resolve) => response.once("drain", resolve).once("close", resolve));
}
