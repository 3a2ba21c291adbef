/** The exchanges that the step benchmarks make: client, servers and made-up traces agree on them here. */

import { Buffer } from "node:buffer";

/** 1 KiB, the size of the bodies. */
export const bodyBytes = 1024;

const prose = "A step is one exchange of an agent with the outside, and a trace holds the steps of one run. ";

const blank = Buffer.from(toLength(prose, bodyBytes), "latin1");

/** One kind of request. */
export interface ExchangeKind {
  readonly method: "GET" | "POST";
  /** True when no two requests of a run are alike. */
  readonly distinct: boolean;
}

/** Names an exchange's kind for a table. */
export function kindName({ method, distinct }: ExchangeKind): string {
  return `${method}, ${distinct ? "distinct" : "equal"}`;
}

/** The path of the request with a number. */
export function stepPath({ distinct }: ExchangeKind, index: number): string {
  return distinct ? `/step/${index}` : "/step";
}

/** The body of the request with a number: a chat request of 1 KiB, or nothing. */
export function requestBody(kind: ExchangeKind, index: number): string {
  if (kind.method === "GET") return "";
  const number = kind.distinct ? index : 0;
  const json = (content: string) =>
    JSON.stringify({ model: "bench-1", temperature: 0.5, seed: number, messages: [{ role: "user", content }] });
  return json(toLength(prose, bodyBytes - json("").length));
}

/** The answer to a path: text of 1 KiB that begins with it, so that every answer can be told from every other. */
export function answerTo(path: string): string {
  return Buffer.from(answerParts(path).body).toString("latin1");
}

/** The answer's bytes, and its headers in the order they go out. */
export function answerParts(path: string): { readonly headers: readonly string[]; readonly body: Uint8Array } {
  const body = Buffer.from(blank); // a copy and a few characters: a floor is not to spend its time on wording
  body.write(`${path} `, "latin1");
  return { headers: ["Content-Type", "text/plain", "Content-Length", String(body.length)], body };
}

/** The request's head, as the client writes it. */
export function requestHeaders(kind: ExchangeKind, authority: string): readonly (readonly [string, string])[] {
  const own = [["Host", authority], ["Accept", "*/*"]] as const;
  if (kind.method === "GET") return own;
  return [...own, ["Content-Type", "application/json"], ["Content-Length", String(bodyBytes)]];
}

function toLength(text: string, length: number): string {
  return text.repeat(Math.ceil(length / text.length)).slice(0, length);
}
