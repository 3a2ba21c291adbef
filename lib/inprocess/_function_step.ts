import { Buffer } from "node:buffer";
import type { LiveRequest, LiveResponse } from "../engine/mod.ts";
import { canonicalJson } from "../key/mod.ts";
import type { Header } from "../step/mod.ts";
import type { Door } from "./_door.ts";
import { decodeJson, encodeJson } from "./_json_value.ts";
import { MemorySink } from "./_memory_sink.ts";

/** Where a request says which function answers it live. */
export const liveCall: unique symbol = Symbol("call");

/** A request that a function answers, and no network. */
export interface CallRequest extends LiveRequest {
  readonly [liveCall]: () => Promise<LiveResponse>;
}

/** Tells whether a function answers a request. */
export function isCallRequest(request: LiveRequest): request is CallRequest {
  return liveCall in request;
}

/** A call to record or to replay. */
export interface Call<Value> {
  readonly method: "TOOL" | "SYSTEM";
  readonly name: string;
  /** Any JSON value; `undefined` for none. */
  readonly args: unknown;
  readonly fn: () => Value | Promise<Value>;
}

/** No recorded call answers this one; the replay ends as diverged. */
export class CallMissedError extends Error {
  override readonly name = "CallMissedError";

  /** @param text What the engine answered. */
  constructor(text: string) {
    super(messageOf(text));
  }
}

const jsonHeaders: readonly Header[] = [["content-type", "application/json"]];

/**
 * Calls a function, or gives what it gave when it was recorded.
 *
 * @returns The value as JSON carries it, in a recording as in a replay.
 * @throws {TypeError} when JSON cannot carry the arguments or the value.
 * @throws {unknown} what the function throws; in a replay an error of the same name and message.
 */
export async function callStep<Value>(door: Door, call: Call<Value>): Promise<Value> {
  const what = `${call.method.toLowerCase()} "${call.name}"`;
  const thrown: unknown[] = [];
  const answer = async (): Promise<LiveResponse> => {
    try {
      return answerWith(encodeJson(await call.fn(), `the value of ${what}`));
    } catch (error) {
      thrown.push(error);
      return errorAnswer(error);
    }
  };
  const sink = new MemorySink();
  const request: CallRequest = { ...requestOf(call, what), [liveCall]: answer };
  door.exchange(request, sink);
  const { status, headers } = await sink.head;
  const text = await new Response(sink.body()).text();
  if (thrown.length > 0) throw thrown[0];
  if (headers.some(([name]) => name === "x-agrepl")) throw new CallMissedError(text);
  if (status !== 200) throw toError(text);
  return decodeJson(text) as Value; // what was recorded is what the function gave
}

function requestOf({ method, name, args }: Call<unknown>, what: string): LiveRequest {
  const json = encodeJson(args, `the arguments of ${what}`);
  const bytes = Buffer.from(json === "" ? "" : canonicalJson(json) ?? json);
  return {
    method,
    url: `agrepl:${encodeURIComponent(name)}`,
    httpVersion: "1.1",
    headers: bytes.length === 0 ? [] : jsonHeaders,
    body: bytes.length === 0 ? null : ReadableStream.from([bytes]),
    trailers: () => [],
    expectsContinue: false,
  };
}

function answerWith(text: string, status = 200): LiveResponse {
  const body = ReadableStream.from(text === "" ? [] : [Buffer.from(text)]);
  const headers = text === "" ? [] : jsonHeaders;
  return { status, statusText: "", httpVersion: "1.1", headers, body, trailers: () => [] };
}

function errorAnswer(error: unknown): LiveResponse {
  const { name, message } = error instanceof Error ? error : { name: "Error", message: String(error) };
  return answerWith(JSON.stringify({ error: { name, message } }), 500);
}

/** The classes that a replayed error may be of: those that every program knows. */
const errorClasses = { Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError } as const;

function toError(text: string): Error {
  const { error: { name, message } } = JSON.parse(text) as { error: { name: string; message: string } };
  const Known = Object.hasOwn(errorClasses, name) ? errorClasses[name as keyof typeof errorClasses] : Error;
  const error = new Known(message);
  if (error.name !== name) Object.defineProperty(error, "name", { value: name, configurable: true });
  return error;
}

function messageOf(text: string): string {
  try {
    const { error } = JSON.parse(text);
    return String(error.message);
  } catch {
    return text; // not an answer of the engine's own: told as it is
  }
}
