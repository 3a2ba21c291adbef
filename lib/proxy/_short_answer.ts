import { Buffer } from "node:buffer";
import type { ResponseSink } from "../engine/mod.ts";
import type { Header } from "../step/mod.ts";

/** An answer of the door's own. */
export interface ShortAnswer {
  readonly status: number;
  readonly statusText: string;
  /** What `x-agrepl` says. */
  readonly why: string;
  readonly text: string;
}

/** Sends an answer that no engine was asked for. */
export function sendShort({ status, statusText, why, text }: ShortAnswer, sink: ResponseSink): void {
  const body = Buffer.from(text);
  const headers: Header[] = [["x-agrepl", why], ["content-length", String(body.length)]];
  if (body.length > 0) headers.unshift(["content-type", "text/plain"]);
  sink.sendHead({ status, statusText, httpVersion: "1.1", headers });
  sink.write(body);
  sink.end([]);
}
