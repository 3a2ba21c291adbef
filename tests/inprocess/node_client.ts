/**
 * Requests by Node's own clients, as promises.
 *
 * @module
 */
import http, { type ClientRequest, type IncomingMessage, type RequestOptions } from "node:http";
import https from "node:https";

/** What came back. */
export interface NodeAnswer {
  readonly status: number;
  readonly text: string;
  readonly headers: IncomingMessage["headers"];
}

/** What is asked, and what it says. */
export type NodeOptions = RequestOptions & { readonly body?: string };

/** Asks, and reads the answer to its end. */
export function ask(url: string, { body, ...options }: NodeOptions = {}): Promise<NodeAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<NodeAnswer>();
  const request = (url.startsWith("https:") ? https : http).request(url, options);
  request.on("response", (response) => readAnswer(response).then(resolve, reject)).on("error", reject);
  request.end(body);
  return promise;
}

/** Reads an answer to its end. */
export async function readAnswer(response: IncomingMessage): Promise<NodeAnswer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of response) pieces.push(piece);
  const text = await new Blob(pieces.map((piece) => Uint8Array.from(piece))).text();
  return { status: response.statusCode ?? 0, text, headers: response.headers };
}

/** Gives the name of an error that a request ends with. */
export function errorOf(request: ClientRequest): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  request.on("error", (error) => resolve("code" in error ? String(error.code) : error.message));
  request.on("response", () => resolve("an answer"));
  return promise;
}
