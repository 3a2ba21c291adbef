/**
 * A bucket of S3, R2 or their like, reduced to what sharing needs.
 *
 * @module
 */
import type { S3Client } from "@aws-sdk/client-s3";
import { toRemoteError } from "./_remote_failure.ts";
import { presignedUrl } from "./presigned_url.ts";
import type { RemoteSettings } from "./remote_settings.ts";
import { RemoteStoreError } from "./remote_store_error.ts";

/** Bytes on their way out, read when they are sent, again where a request is repeated. */
export interface RemoteSource {
  readonly bytes: number;
  /** Gives `bytes` bytes from `offset` on. */
  readonly read: (offset: number, bytes: number) => Uint8Array;
}

/** An object of a listing. */
export interface RemoteObject {
  /** Without the prefix. */
  readonly key: string;
  readonly bytes: number;
}

/** What the SDK offers; loaded when a bucket is first used. */
type Sdk = typeof import("@aws-sdk/client-s3");

/** From this size on an object goes in parts. */
const partBytes = 8 * 1024 * 1024;
const parallelParts = 6;

/** One bucket, below one prefix. */
export class RemoteBucket implements Disposable {
  /** For reading: `s3://bucket/prefix/`. */
  readonly name: string;
  readonly #settings: RemoteSettings;
  readonly #sdk: Sdk;
  readonly #client: S3Client;
  #requests = 0;

  private constructor(settings: RemoteSettings, sdk: Sdk) {
    this.#settings = settings;
    this.#sdk = sdk;
    this.name = `s3://${settings.bucket}/${settings.prefix}`;
    const { endpoint, region, credentials } = settings;
    this.#client = new sdk.S3Client({
      ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
      ...(region === undefined ? {} : { region }),
      ...(credentials === undefined ? {} : { credentials }),
      maxAttempts: 4,
      // The request's own signature covers the payload; R2 and others know no further checksum.
      requestChecksumCalculation: "WHEN_REQUIRED",
      responseChecksumValidation: "WHEN_REQUIRED",
      requestHandler: { connectionTimeout: 10_000, socketTimeout: 30_000 },
    });
    this.#client.middlewareStack.add((next) => (args) => {
      this.#requests++;
      return next(args);
    }, { step: "deserialize", name: "agreplCountsRequests" });
  }

  /**
   * Loads the SDK and names a bucket; nothing is sent.
   *
   * @param settings Where it is.
   */
  static async open(settings: RemoteSettings): Promise<RemoteBucket> {
    return new RemoteBucket(settings, await import("@aws-sdk/client-s3"));
  }

  /** How many requests have been sent, repetitions included. */
  get requests(): number {
    return this.#requests;
  }

  /** Tells whether an object is there. */
  async has(key: string): Promise<boolean> {
    try {
      await this.#client.send(new this.#sdk.HeadObjectCommand(this.#at(key)));
      return true;
    } catch (error) {
      const failure = toRemoteError(error, `read "${key}" of ${this.name}`);
      if (failure.code === "not_found") return false;
      throw failure;
    }
  }

  /**
   * Lists objects in the order of their keys.
   *
   * @param prefix Of their keys.
   * @param pages A thousand objects each, from 1.
   * @returns With them, whether that was all.
   */
  async list(prefix: string, pages: number): Promise<{ readonly objects: RemoteObject[]; readonly whole: boolean }> {
    const objects: RemoteObject[] = [];
    const { bucket, prefix: base } = this.#settings;
    let next: string | undefined;
    for (let page = 0; page < pages; page++) {
      const token = next === undefined ? {} : { ContinuationToken: next };
      const command = new this.#sdk.ListObjectsV2Command({ Bucket: bucket, Prefix: base + prefix, ...token });
      const { Contents = [], NextContinuationToken } = await this.#try(
        this.#client.send(command),
        `list ${this.name}${prefix}`,
      );
      for (const { Key = "", Size = 0 } of Contents) objects.push({ key: Key.slice(base.length), bytes: Size });
      next = NextContinuationToken;
      if (next === undefined) return { objects, whole: true };
    }
    return { objects, whole: false };
  }

  /**
   * Opens an object for reading.
   *
   * @param key Without the prefix.
   * @param limitBytes A larger one is refused before its first byte.
   * @throws {RemoteStoreError} when it is not there, or claims to be larger.
   */
  async read(key: string, limitBytes: number): Promise<ReadableStream<Uint8Array>> {
    const what = `read "${key}" of ${this.name}`;
    const command = new this.#sdk.GetObjectCommand(this.#at(key));
    const { Body, ContentLength } = await this.#try(this.#client.send(command), what);
    const body: ReadableStream<Uint8Array> = Body?.transformToWebStream() ?? new Blob([]).stream();
    if (ContentLength === undefined || ContentLength <= limitBytes) return body;
    await body.cancel();
    throw new RemoteStoreError(
      "damaged",
      `Cannot ${what}: it has ${ContentLength} bytes, expected ${limitBytes} at most`,
    );
  }

  /**
   * Writes an object that nobody has written before.
   *
   * @param key Without the prefix.
   * @param source Its bytes.
   * @returns `there` when somebody has: theirs stays.
   */
  async putOnce(key: string, source: RemoteSource): Promise<"written" | "there"> {
    const what = `write "${key}" to ${this.name}`;
    for (let waitMs = 100;; waitMs *= 2) {
      try {
        if (source.bytes <= partBytes) await this.#putWhole(key, source);
        else await this.#putParts(key, source);
        return "written";
      } catch (error) {
        const failure = toRemoteError(error, what);
        if (failure.code !== "conflict") throw failure;
        if (await this.has(key)) return "there";
        if (waitMs > 2000) throw failure; // somebody writes it just now, and never ends
        await new Promise((resolve) => setTimeout(resolve, waitMs));
      }
    }
  }

  /** Writes an object over whatever is there. */
  async replace(key: string, bytes: Uint8Array): Promise<void> {
    const command = new this.#sdk.PutObjectCommand({ ...this.#at(key), Body: bytes });
    await this.#try(this.#client.send(command), `write "${key}" to ${this.name}`);
  }

  /** Makes a URL by which anybody can read an object for a while. */
  async link(key: string, expiresSeconds: number): Promise<string> {
    const { config } = this.#client;
    const credentials = await this.#try(config.credentials(), `sign a link to ${this.name}`);
    const { accessKeyId, secretAccessKey, sessionToken } = credentials;
    return presignedUrl({
      url: await this.#objectUrl(key),
      region: await config.region(),
      accessKeyId,
      secretAccessKey,
      ...(sessionToken === undefined ? {} : { sessionToken }),
      expiresSeconds,
      now: new Date(),
    });
  }

  [Symbol.dispose](): void {
    this.#client.destroy();
  }

  async #objectUrl(key: string): Promise<URL> {
    const { endpoint, bucket, prefix } = this.#settings;
    const path = `${prefix}${key}`.split("/").map(encodeURIComponent).join("/");
    if (endpoint !== undefined) return new URL(`${endpoint.replace(/\/+$/, "")}/${bucket}/${path}`);
    return new URL(`https://${bucket}.s3.${await this.#client.config.region()}.amazonaws.com/${path}`);
  }

  async #putWhole(key: string, { bytes, read }: RemoteSource): Promise<void> {
    const Body = read(0, bytes);
    await this.#client.send(new this.#sdk.PutObjectCommand({ ...this.#at(key), Body, IfNoneMatch: "*" }));
  }

  async #putParts(key: string, source: RemoteSource): Promise<void> {
    const { UploadId } = await this.#client.send(new this.#sdk.CreateMultipartUploadCommand(this.#at(key)));
    if (UploadId === undefined) throw new TypeError("Cannot upload in parts: the answer names no upload");
    const upload = { ...this.#at(key), UploadId };
    try {
      const offsets = Array.from({ length: Math.ceil(source.bytes / partBytes) }, (_, at) => at * partBytes);
      const Parts = await inParallel(offsets, parallelParts, async (offset, at) => {
        const Body = source.read(offset, Math.min(partBytes, source.bytes - offset));
        const { ETag } = await this.#client.send(
          new this.#sdk.UploadPartCommand({ ...upload, PartNumber: at + 1, Body }),
        );
        return { PartNumber: at + 1, ...(ETag === undefined ? {} : { ETag }) };
      });
      await this.#client.send(
        new this.#sdk.CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts }, IfNoneMatch: "*" }),
      );
    } catch (error) {
      // What is left of it costs its owner; that it cannot be told so is no further failure.
      await this.#client.send(new this.#sdk.AbortMultipartUploadCommand(upload)).catch(() => {});
      throw error;
    }
  }

  #at(key: string): { readonly Bucket: string; readonly Key: string } {
    return { Bucket: this.#settings.bucket, Key: this.#settings.prefix + key };
  }

  async #try<Value>(asked: Promise<Value>, what: string): Promise<Value> {
    try {
      return await asked;
    } catch (error) {
      throw toRemoteError(error, what);
    }
  }
}

/**
 * Does work for each item, some at a time; after a failure none is begun, and those under way are waited for.
 *
 * @param items In the order in which they are begun.
 * @param limit How many at a time, from 1.
 * @param work What is done.
 * @returns What each gave, in the order of the items.
 */
export async function inParallel<Item, Value>(
  items: readonly Item[],
  limit: number,
  work: (item: Item, index: number) => Promise<Value>,
): Promise<Value[]> {
  const values: Value[] = [];
  const queue = items.entries();
  const failed: unknown[] = [];
  const worker = async () => {
    for (const [index, item] of queue) {
      if (failed.length > 0) return;
      await work(item, index).then((value) => void (values[index] = value), (error) => void failed.push(error));
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  if (failed.length > 0) throw failed[0];
  return values;
}
