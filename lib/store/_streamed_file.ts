import { createFile, removeIfThere, writeAllSync } from "./_files.ts";

/** A file that is written bit by bit beside its place, and put there in one step. */
export class StreamedFile implements Disposable {
  readonly #temporary: string;
  readonly #file: Deno.FsFile;
  #open = true;

  /** @param folder Of the place. */
  constructor(folder: string) {
    this.#temporary = `${folder}/.${crypto.randomUUID()}.tmp`;
    this.#file = createFile(this.#temporary);
  }

  /** Writes the next bytes. */
  write(bytes: Uint8Array): void {
    writeAllSync(this.#file, bytes);
  }

  /** Where it is for now. */
  get path(): string {
    return this.#temporary;
  }

  /** Ends the writing; the file may be read, and finished, afterwards. */
  seal(): void {
    if (this.#open) this.#file.syncDataSync();
    this.#close();
  }

  /** Puts the file into its place, over what is there, on the same file system. */
  finish(path: string): void {
    this.seal();
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
