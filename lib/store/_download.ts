import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { toRemoteError } from "./_remote_failure.ts";
import type { StreamedFile } from "./_streamed_file.ts";
import { RemoteStoreError } from "./remote_store_error.ts";

/** What a download may come to. */
export interface DownloadLimits {
  readonly bytes: number;
  /** Of one line; a blob has none. */
  readonly lineBytes?: number;
}

/** A server that says nothing for so long has gone. */
const silenceMs = 30_000;

/**
 * Writes a stream into a file while it is measured.
 *
 * @param stream Cancelled when it goes beyond its limits.
 * @param file Written, not finished.
 * @param options What it is, for the error, and its limits.
 * @returns `sha256:<64 hex>` of all of it, and its size.
 * @throws {RemoteStoreError} when it breaks off, falls silent, or is longer than it may be.
 */
export async function download(
  stream: ReadableStream<Uint8Array>,
  file: StreamedFile,
  { what, limits }: { readonly what: string; readonly limits: DownloadLimits },
): Promise<{ readonly digest: string; readonly bytes: number }> {
  const hash = createHash("sha256");
  const { lineBytes = Infinity } = limits;
  let bytes = 0;
  let line = 0;
  const reader = stream.getReader();
  try {
    for (let piece = await next(reader, what); piece !== null; piece = await next(reader, what)) {
      bytes += piece.length;
      const newline = Buffer.from(piece.buffer, piece.byteOffset, piece.length).lastIndexOf(10);
      line = newline === -1 ? line + piece.length : piece.length - newline - 1;
      if (bytes > limits.bytes) throw tooLong(what, `more than ${limits.bytes} bytes`);
      if (line > lineBytes) throw tooLong(what, `a line of more than ${lineBytes} bytes`);
      hash.update(piece);
      file.write(piece);
    }
  } catch (error) {
    await reader.cancel().catch(() => {}); // the error is told already
    throw error;
  }
  file.seal();
  return { digest: `sha256:${hash.digest("hex")}`, bytes };
}

function tooLong(what: string, found: string): RemoteStoreError {
  return new RemoteStoreError("damaged", `Cannot ${what}: it has ${found}`);
}

async function next(reader: ReadableStreamDefaultReader<Uint8Array>, what: string): Promise<Uint8Array | null> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new RemoteStoreError("unreachable", `Cannot ${what}: nothing came for ${silenceMs / 1000} s`)),
      silenceMs,
    );
  });
  try {
    const { value } = await Promise.race([reader.read(), silence]);
    return value ?? null;
  } catch (error) {
    throw toRemoteError(error, what);
  } finally {
    clearTimeout(timer);
  }
}
