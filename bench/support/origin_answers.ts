/** What the servers of the bench answer. */

import { Buffer } from "node:buffer";
import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout } from "node:timers/promises";
import { answerParts } from "./exchange.ts";

/** Pause between two chunks of a stream, in milliseconds. */
export const chunkPauseMs = 2;

/** Length of each chunk of a stream. */
export const chunkBytes = 64;

/** What a large answer is made of, over and over. */
export const largeBlock: Uint8Array = Buffer.from("All of the sea is in one wave, and none of it. ".repeat(1400))
  .subarray(0, 65536);

/**
 * Answers a step: 1 KiB that begins with the path, once the request is read.
 *
 * @param request Its body is read and dropped.
 * @param response Where to.
 */
export function answerStep(request: IncomingMessage, response: ServerResponse): void {
  const answer = () => {
    const { headers, body } = answerParts(request.url ?? "/");
    response.sendDate = false;
    response.writeHead(200, [...headers]);
    response.end(body);
  };
  if (request.method === "GET") answer();
  else request.on("end", answer).resume();
}

/**
 * Answers with a body of any length, as fast as it is taken.
 *
 * @param response Where to.
 * @param bytes How many.
 */
export async function answerLarge(response: ServerResponse, bytes: number): Promise<void> {
  response.writeHead(200, { "content-type": "application/octet-stream", "content-length": bytes });
  for (let sent = 0; sent < bytes && !response.destroyed; sent += largeBlock.length) {
    if (!response.write(largeBlock.subarray(0, bytes - sent))) await drained(response);
  }
  response.end();
}

/** Leaves no listener behind: thousands of them would be a leak, and a warning on stderr. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      response.off("drain", settle).off("close", settle);
      resolve();
    };
    response.on("drain", settle).on("close", settle);
  });
}

/**
 * Answers with a stream whose chunks each carry the moment they were written, in milliseconds since 1970.
 *
 * @param response Where to.
 * @param chunks How many.
 */
export async function answerStream(response: ServerResponse, chunks: number): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const startMs = performance.now();
  for (let index = 0; index < chunks; index++) {
    const restMs = startMs + index * chunkPauseMs - performance.now();
    if (restMs > 0) await setTimeout(restMs);
    const sentMs = (performance.timeOrigin + performance.now()).toFixed(3);
    response.write(`data: ${sentMs}`.padEnd(chunkBytes - 2) + "\n\n");
  }
  response.end();
}
