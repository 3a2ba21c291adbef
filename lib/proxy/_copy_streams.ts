/** What is read at once; a TLS record is a quarter of it. */
const bufferBytes = 64 * 1024;

/** Copies both ways until both sides have ended or one has broken; then both are closed. Never throws. */
export async function copyStreams(one: Deno.Conn, other: Deno.Conn): Promise<void> {
  try {
    await Promise.all([copy(one, other), copy(other, one)]);
  } catch {
    // One side is gone: that is told to the other by closing it.
  } finally {
    closeQuietly(one);
    closeQuietly(other);
  }
}

async function copy(from: Deno.Conn, to: Deno.Conn): Promise<void> {
  const buffer = new Uint8Array(bufferBytes);
  for (let count = await from.read(buffer); count !== null; count = await from.read(buffer)) {
    await writeWhole(to, buffer.subarray(0, count));
  }
  await to.closeWrite();
}

/** Writes all of it: one write may take less. */
export async function writeWhole(to: Deno.Conn, bytes: Uint8Array): Promise<void> {
  for (let rest = bytes; rest.length > 0;) rest = rest.subarray(await to.write(rest));
}

/** Closes a connection that may be closed already. */
export function closeQuietly(connection: Deno.Conn): void {
  try {
    connection.close();
  } catch (error) {
    if (!(error instanceof Deno.errors.BadResource)) throw error;
  }
}
