/**
 * Reads one large response to its end, and how much memory its parent process came to need meanwhile.
 *
 * Arguments: `host:port`, bytes. Prints one JSON line, `{perSecond, parentGrowthBytes}`.
 *
 * @module
 */
import type { Buffer } from "node:buffer";
import { readProcessMemory } from "../support/process_memory.ts";
import { openSecure } from "../support/tunnel.ts";
import { WrongAnswerError } from "../support/wrong_answer_error.ts";

const [authority = "", bytes = ""] = Deno.args;
const connection = await openSecure(authority, Deno.readTextFileSync(Deno.env.get("NODE_EXTRA_CA_CERTS") ?? ""));
const { residentBytes } = readProcessMemory(Deno.ppid);
const startMs = performance.now();
connection.write(`GET /large?bytes=${bytes} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`);
await readBody(Number(bytes));
const seconds = (performance.now() - startMs) / 1000;
const { peakBytes } = readProcessMemory(Deno.ppid);
connection.destroy();
console.log(JSON.stringify({ perSecond: Number(bytes) / seconds, parentGrowthBytes: peakBytes - residentBytes }));

/** Counts what follows the head; what the bytes are is seen from the digest of what was recorded. */
function readBody(expected: number): Promise<void> {
  return new Promise((resolve, reject) => {
    let seen: number | null = null;
    connection.on("close", () => reject(new WrongAnswerError("a large response", `closed after ${seen} bytes`)));
    connection.on("data", (piece: Buffer) => {
      const head = seen === null ? piece.indexOf("\r\n\r\n") + 4 : 0; // a head comes as one piece
      seen = (seen ?? 0) + piece.length - head;
      if (seen >= expected) resolve();
    });
  });
}
