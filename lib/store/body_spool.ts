/**
 * Collects a body of unknown length: in memory while it is small, in a blob's file once it is not.
 *
 * @module
 */
import { createHash, type Hash } from "node:crypto";
import { dirname, join } from "node:path";
import { Buffer } from "node:buffer";
import { type Body, encodeBody, inlineLimitBytes } from "../step/mod.ts";
import { createFile, makeFolder, removeIfThere, writeAll } from "./_files.ts";
import { blobPath, type StoreLayout } from "./layout.ts";

/** One body on its way into a trace. Push in order, then finish or discard. */
export class BodySpool {
  readonly #layout: StoreLayout | null;
  #held: Uint8Array[] = [];
  #bytes = 0;
  #blob: { readonly file: Deno.FsFile; readonly path: string; readonly hash: Hash } | null = null;

  /**
   * Begins a body.
   *
   * @param layout Where blobs go; `null` keeps every body inline, as a cassette does.
   */
  constructor(layout: StoreLayout | null) {
    this.#layout = layout;
  }

  /** How many bytes have been pushed. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Takes the next bytes; they must not change afterwards.
   *
   * @param bytes Any number of them.
   * @returns A promise to wait for, before the next push, when the bytes go to disk: that is the back-pressure.
   */
  push(bytes: Uint8Array): Promise<void> | undefined {
    this.#bytes += bytes.length;
    if (this.#blob !== null) return this.#append(bytes);
    this.#held.push(bytes);
    return this.#layout !== null && this.#bytes > inlineLimitBytes ? this.#spill(this.#layout) : undefined;
  }

  /**
   * Ends the body, whose last push must have been waited for.
   *
   * @returns How the trace line names it.
   */
  finish(): Body {
    const blob = this.#blob;
    if (blob === null || this.#layout === null) return encodeBody(Buffer.concat(this.#held));
    const digest = `sha256:${blob.hash.copy().digest("hex")}`;
    const path = blobPath(this.#layout, digest);
    makeFolder(dirname(path));
    Deno.renameSync(blob.path, path); // over an equal blob: same name, same content
    blob.file.close();
    this.#blob = null; // only now: what could not be moved is still there to be discarded
    return { blob: digest, bytes: this.#bytes };
  }

  /** Forgets the body and removes what was on disk. */
  discard(): void {
    this.#held = [];
    if (this.#blob === null) return;
    this.#blob.file.close();
    removeIfThere(this.#blob.path);
    this.#blob = null;
  }

  #spill(layout: StoreLayout): Promise<void> {
    makeFolder(layout.blobs);
    const path = join(layout.blobs, `.${crypto.randomUUID()}.tmp`);
    this.#blob = { file: createFile(path), path, hash: createHash("sha256") };
    const held = this.#held;
    this.#held = [];
    return this.#append(Buffer.concat(held));
  }

  #append(bytes: Uint8Array): Promise<void> {
    if (this.#blob === null) return Promise.resolve();
    this.#blob.hash.update(bytes);
    return writeAll(this.#blob.file, bytes);
  }
}
