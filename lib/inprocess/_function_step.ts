import { AsyncLocalStorage } from "node:async_hooks";
import { Buffer } from "node:buffer";
import type { LiveRequest, LiveResponse } from "../engine/mod.ts";
import { canonicalJson } from "../key/mod.ts";
import type { Header } from "../step/mod.ts";
import type { Door } from "./_door.ts";
import { decodeJson, encodeJson, isJson } from "./_json_value.ts";
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

/** The doors whose calls we are inside of: what a call does is its own affair, and a replay never comes here. */
const inside = new AsyncLocalStorage<ReadonlySet<Door>>();

const jsonHeaders: readonly Header[] = [["content-type", "application/json"]];

/**
 * Calls a function, or gives what it gave when it was recorded.
 *
 * @returns The value as JSON carries it, in a recording as in a replay.
 * @throws {TypeError} when JSON cannot carry the arguments or the value; of the value, all of the recording fails.
 * @throws {unknown} what the function throws; in a replay an error of the same name and message.
 */
export async function callStep<Value>(door: Door, call: Call<Value>): Promise<Value> {
  const doors = inside.getStore();
  if (doors?.has(door) === true) return await call.fn();
  const what = `${call.method.toLowerCase()} "${call.name}"`;
  const thrown: unknown[] = [];
  const answer = async (): Promise<LiveResponse> => {
    const called = await inside.run(new Set(doors).add(door), () => outcomeOf(call));
    // Not one of the function's own errors, which it may expect: one of whoever wrote the call.
    if (!called.failed) return answerWith(encodeJson(called.value, `the value of ${what}`));
    thrown.push(called.error);
    return errorAnswer(called.error);
  };
  const sink = new MemorySink(what);
  const request: CallRequest = { ...requestOf(call, what), [liveCall]: answer };
  door.exchange(request, sink);
  const { status, headers } = await sink.head;
  const text = await new Response(sink.body()).text();
  if (thrown.length > 0) throw thrown[0];
  if (headers.some(([name]) => name === "x-agrepl")) throw new CallMissedError(text);
  if (status !== 200) throw toThrown(text);
  return decodeJson(text) as Value; // what was recorded is what the function gave
}

type Outcome<Value> =
  | { readonly failed: false; readonly value: Value }
  | { readonly failed: true; readonly error: unknown };

async function outcomeOf<Value>({ fn }: Call<Value>): Promise<Outcome<Value>> {
  try {
    return { failed: false, value: await fn() };
  } catch (error) {
    return { failed: true, error };
  }
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
  if (!(error instanceof Error) && isJson(error)) return answerWith(JSON.stringify({ thrown: error }), 500);
  const { name, message } = error instanceof Error ? error : { name: "Error", message: String(error) };
  return answerWith(JSON.stringify({ error: { name, message } }), 500);
}

/** The classes that a replayed error may be of: those that every program knows. */
const errorClasses = { Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError } as const;

/** What a call threw: an error, or any other value. */
type Thrown = { readonly error: { readonly name: string; readonly message: string } } | { readonly thrown: unknown };

function toThrown(text: string): unknown {
  const answer = JSON.parse(text) as Thrown; // written by errorAnswer
  return "error" in answer ? toError(answer.error) : answer.thrown;
}

function toError({ name, message }: Pick<Error, "name" | "message">): Error {
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
