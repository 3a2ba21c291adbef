/** What the five workloads have in common: how they are run inside a process. */

/** What a workload needs beside the world's origin. */
export interface WorkloadOptions {
  /**
   * The key for the language model.
   *
   * @default "sk-none"
   */
  readonly apiKey?: string;
  /**
   * What to fetch with, such as one that trusts a certificate of its own.
   *
   * @default globalThis.fetch
   */
  readonly fetch?: typeof globalThis.fetch;
  /**
   * Where files are written.
   *
   * @default "."
   */
  readonly directory?: string;
}

/**
 * Runs a workload once.
 *
 * @param base The world's origin: `https://localhost:PORT`.
 * @param options The key, the fetch, the directory.
 * @returns What the workload found out; it depends on what the world sampled, so equal texts prove an exact replay.
 */
export type RunWorkload = (base: string, options: WorkloadOptions) => Promise<string>;

/**
 * Asks for a resource.
 *
 * @param url Where it is.
 * @param options What to fetch with.
 * @param accept The media type that is wanted.
 * @returns The body.
 * @throws {DOMException} `NetworkError` when the answer is not a 2xx.
 */
export async function getText(url: string, options: WorkloadOptions, accept = "*/*"): Promise<string> {
  const fetch = options.fetch ?? globalThis.fetch;
  const response = await fetch(url, { headers: { accept } });
  const text = await response.text();
  if (response.ok) return text;
  const reason = `the answer is ${response.status} ${text}, a 2xx was expected`;
  throw new DOMException(`Cannot get ${url}: ${reason}`, "NetworkError");
}
