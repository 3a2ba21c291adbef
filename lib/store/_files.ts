import { dirname } from "node:path";

/** Makes a folder that only its owner may enter, with its parents. */
export function makeFolder(path: string): void {
  Deno.mkdirSync(path, { recursive: true, mode: 0o700 });
}

/** Creates a file that only its owner may read; fails when it is there already. */
export function createFile(path: string): Deno.FsFile {
  return Deno.openSync(path, { createNew: true, write: true, mode: 0o600 });
}

/** Writes the whole of the bytes, however few the system takes at a time. */
export function writeAllSync(file: Deno.FsFile, bytes: Uint8Array): void {
  let rest = bytes;
  while (rest.length > 0) rest = rest.subarray(file.writeSync(rest));
}

/** Writes the whole of the bytes without holding up the event loop. */
export async function writeAll(file: Deno.FsFile, bytes: Uint8Array): Promise<void> {
  let rest = bytes;
  while (rest.length > 0) rest = rest.subarray(await file.write(rest));
}

/** Puts a text into a file in one step: a reader sees the old content or the new, never half. */
export function replaceFile(path: string, text: string): void {
  makeFolder(dirname(path));
  const temporary = `${path}.${crypto.randomUUID()}.tmp`;
  try {
    using file = createFile(temporary);
    writeAllSync(file, new TextEncoder().encode(text));
    Deno.renameSync(temporary, path);
  } catch (error) {
    removeIfThere(temporary);
    throw error;
  }
}

/** Tells whether a path leads to a file. */
export function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable || error instanceof Deno.errors.PermissionDenied) throw error;
    return false; // not there, or no path at all: empty, too long, with a NUL
  }
}

/** Reads a text file, or `null` when there is none. */
export function readTextIfThere(path: string): string | null {
  try {
    return Deno.readTextFileSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}

/** Removes a file; that it is gone already is as good. */
export function removeIfThere(path: string): void {
  try {
    Deno.removeSync(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}

/** The names of the files in a folder; of none when it is not there. */
export function fileNames(folder: string): string[] {
  try {
    return [...Deno.readDirSync(folder)].filter((entry) => entry.isFile).map((entry) => entry.name);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}
