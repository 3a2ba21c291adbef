/**
 * Floods of HTTP/2: sent while others ask, and held against what the door's memory was before.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { match, ok } from "node:assert/strict";
import { frame, kind, last, postHead, RawHttp2 } from "../support/raw_http2.ts";
import type { DoorProcess } from "./door_process.ts";
import { pourBlocks } from "./pour.ts";
import { whileOthersAsk } from "./witness.ts";

const limitBytes = 64 * 1024 * 1024;

/** What is sent. */
export interface Flood {
  readonly name: string;
  /** What makes the flood possible. */
  readonly start?: readonly Buffer[];
  /** One of them, by its number from 0. */
  readonly one: (index: number) => Buffer;
  readonly count: number;
}

/** Sends a flood while others ask, and holds the door's memory against what it was before. */
export async function staysSmall<Value>(
  door: DoorProcess,
  client: RawHttp2,
  { start = [], one, count }: Flood,
  after: () => Promise<Value>,
): Promise<Value> {
  return await whileOthersAsk(door, async () => {
    await work(door);
    client.send(...start);
    const beforeBytes = await door.residentBytes();
    await pourBlocks(client.raw, gathered(one, count), 10_000);
    const value = await after();
    await grewLittle(door, beforeBytes);
    return value;
  });
}

/** Holds a door's memory against what it was before. */
export async function grewLittle(door: DoorProcess, beforeBytes: number): Promise<void> {
  const grownBytes = await door.residentBytes() - beforeBytes;
  ok(grownBytes < limitBytes, `grew by ${grownBytes} bytes`);
}

const pieceOfWork = "x".repeat(16_000);

/** Has the door take 48 MB that it is meant to take: the memory that any work needs is no flood's. */
export async function work(door: DoorProcess): Promise<void> {
  await using client = await RawHttp2.open(door);
  for (let index = 0; index < 200; index++) {
    const streamId = 2 * index + 1;
    const body = Array.from({ length: 15 }, (_, at) => frame(kind.data, at === 14 ? last : 0, streamId, pieceOfWork));
    client.send(postHead(streamId, "/work"), ...body);
    match(await client.bodyOf(streamId), / 240000$/);
  }
}

/** Frames in blocks of 64 KB: one by one they would take the sender longer than the door. */
function* gathered(one: (index: number) => Buffer, count: number): Generator<Buffer> {
  let held: Buffer[] = [];
  let heldBytes = 0;
  for (let index = 0; index < count; index++) {
    const bytes = one(index);
    held.push(bytes);
    heldBytes += bytes.length;
    if (heldBytes < 64 * 1024) continue;
    yield Buffer.concat(held);
    held = [];
    heldBytes = 0;
  }
  if (heldBytes > 0) yield Buffer.concat(held);
}
