import { Buffer } from "node:buffer";
import type { MissExplanation } from "../diff/mod.ts";
import type { Header, RecordedError, ResponseHead } from "../step/mod.ts";
import type { ResponseSink } from "./exchange.ts";

/** What a step holds whose client left before an answer came. */
export const clientClosed: RecordedError = {
  phase: "read",
  code: "CLIENT_CLOSED",
  message: "the client closed the connection before an answer came",
};

/** An answer of our own making. */
export interface OwnAnswer {
  readonly head: ResponseHead;
  readonly body: Uint8Array;
}

/** For an upstream that failed. The same error gives the same bytes, so a replay repeats them. */
export function upstreamErrorAnswer(error: RecordedError): OwnAnswer {
  const where = { dns: "its name", connect: "a connection", tls: "its certificate", read: "its answer" }[error.phase];
  const message = `agrepl could not get past ${where}: ${error.message} (${error.code})`;
  const { phase, code } = error;
  return ownAnswer([["x-agrepl", "upstream-error"]], {
    error: { type: "agrepl_upstream_error", phase, code, message },
  });
}

/** For a request that no recorded step matches. `x-should-retry` keeps the vendors' SDKs from asking again. */
export function missAnswer(miss: MissExplanation): OwnAnswer {
  const message = `agrepl replay: no recorded step matches ${miss.method} ${miss.url}. ${miss.reason}`;
  const { method, url, usedUp, rule, nearest } = miss;
  return ownAnswer(
    [["x-agrepl", "miss"], ["x-should-retry", "false"]],
    { error: { type: "agrepl_miss", message, asked: { method, url }, used_up: usedUp, nearest, rule } },
  );
}

/** For a step that cannot be read any more. */
export function damagedAnswer(reason: string): OwnAnswer {
  const headers: Header[] = [["x-agrepl", "damaged"], ["x-should-retry", "false"]];
  return ownAnswer(headers, { error: { type: "agrepl_damaged_trace", message: reason } });
}

/** Sends the whole of an answer. */
export function sendAnswer(answer: OwnAnswer, sink: ResponseSink): void {
  sink.sendHead(answer.head);
  sink.write(answer.body); // short, and the last of this exchange: nothing to wait for
  sink.end([]);
}

function ownAnswer(headers: readonly Header[], json: unknown): OwnAnswer {
  const body = Buffer.from(`${JSON.stringify(json)}\n`);
  const own: Header[] = [["content-type", "application/json"], ["content-length", String(body.length)], ...headers];
  return { head: { status: 502, statusText: "Bad Gateway", httpVersion: "1.1", headers: own }, body };
}
