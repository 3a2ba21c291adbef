/**
 * Reads a tar archive as `deno publish` writes it: regular files, names that fit into a header.
 *
 * @module
 */

const blockBytes = 512;

/** What is read of a file's header (POSIX ustar): where each field stands, and how long it is. */
const fields = { name: [0, 100], size: [124, 12], type: [156, 1], prefix: [345, 155] } as const;

/**
 * Decodes an archive.
 *
 * @param archive All of it, uncompressed.
 * @returns The files by their paths, in the archive's order.
 * @throws {SyntaxError} when it holds something else than files, or ends early.
 */
export function decodeTar(archive: Uint8Array<ArrayBuffer>): Map<string, Uint8Array<ArrayBuffer>> {
  const files = new Map<string, Uint8Array<ArrayBuffer>>();
  let at = 0;
  while (at + blockBytes <= archive.length && archive[at] !== 0) {
    const header = archive.subarray(at, at + blockBytes);
    const { path, bytes } = decodeHeader(header);
    at += blockBytes;
    if (at + bytes > archive.length) throw new SyntaxError(`Cannot read "${path}": the archive ends within it`);
    files.set(path, archive.subarray(at, at + bytes));
    at += Math.ceil(bytes / blockBytes) * blockBytes;
  }
  return files;
}

function decodeHeader(header: Uint8Array): { readonly path: string; readonly bytes: number } {
  const text = (field: keyof typeof fields) => {
    const [from, length] = fields[field];
    return new TextDecoder().decode(header.subarray(from, from + length)).replace(/\0.*$/s, "");
  };
  const path = [text("prefix"), text("name")].filter((part) => part !== "").join("/");
  const type = text("type");
  if (type !== "" && type !== "0") throw new SyntaxError(`Cannot read "${path}": of type "${type}", expected a file`);
  return { path, bytes: Number.parseInt(text("size"), 8) };
}
