import { dirname } from "node:path";
import { createFile, makeFolder, removeIfThere, writeAllSync } from "./_files.ts";

/** A file that is written bit by bit beside its place, and put there in one step. */
export class StreamedFile implements Disposable {
  readonly #temporary: string;
  readonly #file: Deno.FsFile;
  #open = true;

  /** @param folder Of the place; made when it is not there. */
  constructor(folder: string) {
    makeFolder(folder);
    this.#temporary = `${folder}/.${crypto.randomUUID()}.tmp`;
    this.#file = createFile(this.#temporary);
  }

  /** Writes the next bytes. */
  write(bytes: Uint8Array): void {
    writeAllSync(this.#file, bytes);
  }

  /** Puts the file into its place, over what is there; both lie in one folder. */
  finish(path: string): void {
    if (dirname(path) !== dirname(this.#temporary)) throw new TypeError(`Cannot move to "${path}": another folder`);
    this.#file.syncDataSync();
    this.#close();
    Deno.renameSync(this.#temporary, path);
  }

  /** Removes what was not finished. */
  [Symbol.dispose](): void {
    this.#close();
    removeIfThere(this.#temporary);
  }

  #close(): void {
    if (this.#open) this.#file.close();
    this.#open = false;
  }
}
