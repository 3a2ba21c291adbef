import { deepEqual, equal, rejects } from "node:assert/strict";
import { createHash } from "node:crypto";
import { ThrowawayStore } from "../../tests/support/throwaway_store.ts";
import { download, type DownloadLimits } from "./_download.ts";
import { StreamedFile } from "./_streamed_file.ts";

async function fetched(pieces: readonly string[], limits: DownloadLimits) {
  using room = new ThrowawayStore();
  using file = new StreamedFile(room.folder);
  let cancelled = false;
  const rest = [...pieces];
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      const piece = rest.shift();
      if (piece === undefined) controller.close();
      else controller.enqueue(new TextEncoder().encode(piece));
    },
    cancel: () => void (cancelled = true),
  });
  try {
    const got = await download(stream, file, { what: "pull x", limits });
    return { ...got, text: Deno.readTextFileSync(file.path) };
  } catch (error) {
    equal(cancelled, true);
    throw error;
  }
}

Deno.test("download() gives the digest of what it wrote", async () => {
  const digest = `sha256:${createHash("sha256").update("ab\ncd\n").digest("hex")}`;
  deepEqual(await fetched(["ab\n", "cd\n"], { bytes: 6 }), { digest, bytes: 6, text: "ab\ncd\n" });
});

Deno.test("download() stops a stream that goes on beyond its limit", async () => {
  const bomb = Array.from({ length: 1000 }, () => "x\n".repeat(500));
  await rejects(fetched(bomb, { bytes: 5000 }), /Cannot pull x: it has more than 5000 bytes/);
});

Deno.test("download() stops a line that goes on beyond its limit, however many are whole before", async () => {
  const line = Array.from({ length: 1000 }, () => "x".repeat(1000));
  const limits = { bytes: 1e9, lineBytes: 5000 };
  await rejects(fetched(["a\n", ...line], limits), /a line of more than 5000 bytes/);
  equal((await fetched(["x".repeat(4000), "\n", "y".repeat(4000), "\n"], limits)).bytes, 8002);
});
