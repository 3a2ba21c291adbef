/**
 * Makes exchanges of 1 KiB over kept-alive TLS connections and times each: raw sockets, so that the client's own part
 * is as small as it can be. Every answer is checked.
 *
 * Argument: a {@link StepClientOptions} as JSON. Prints one line, a {@link StepClientResult}.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import type { TLSSocket } from "node:tls";
import { answerTo, requestBody, requestHeaders, stepPath } from "../support/exchange.ts";
import { quantile } from "../support/statistics.ts";
import type { StepClientOptions, StepClientResult } from "../support/step_client.ts";
import { Http2Trips } from "../support/http2_trips.ts";
import { openSecure } from "../support/tunnel.ts";
import { WrongAnswerError } from "../support/wrong_answer_error.ts";

const headEnd = Buffer.from("\r\n\r\n");

async function main(options: StepClientOptions): Promise<StepClientResult> {
  const ca = Deno.readTextFileSync(Deno.env.get("NODE_EXTRA_CA_CERTS") ?? "");
  const connections: Trips[] = [];
  for (let at = 0; at < options.connections; at++) connections.push(await connect(options, ca));
  const requests = Array.from(
    { length: options.requests },
    (_, index) => connections[index % connections.length]?.prepare(index),
  );
  const timesUs: number[] = [];
  const startMs = performance.now();
  await Promise.all(connections.map(async (_connection, first) => {
    for (let index = first; index < requests.length; index += connections.length) {
      const request = requests[index];
      if (request === undefined) break;
      const sentMs = performance.now();
      check(await request.send(), request.expected);
      if (index >= options.warmUp) timesUs.push((performance.now() - sentMs) * 1000);
    }
  }));
  const seconds = (performance.now() - startMs) / 1000;
  for (const connection of connections) connection.close();
  return { p50Us: quantile(timesUs, 0.5), p99Us: quantile(timesUs, 0.99), perSecond: requests.length / seconds };
}

/** One connection, and the exchanges that can be made on it. */
interface Trips {
  /** Made before the clock runs. */
  prepare(index: number): { readonly send: () => Promise<Buffer>; readonly expected: Buffer };
  close(): void;
}

async function connect(options: StepClientOptions, ca: string): Promise<Trips> {
  const { authority, kind, httpVersion } = options;
  if (httpVersion === "2") return new Http2Trips(await openSecure(authority, ca, "h2"), authority, kind);
  const connection = await openSecure(authority, ca);
  return {
    prepare: (index) => {
      const { bytes, expected } = toRequest(options, index);
      return { expected, send: () => roundTrip(connection, bytes) };
    },
    close: () => connection.destroy(),
  };
}

function toRequest({ kind, authority }: StepClientOptions, index: number): { bytes: Buffer; expected: Buffer } {
  const path = stepPath(kind, index);
  const headers = requestHeaders(kind, authority).map(([name, value]) => `${name}: ${value}\r\n`).join("");
  const text = `${kind.method} ${path} HTTP/1.1\r\n${headers}\r\n${requestBody(kind, index)}`;
  return { bytes: Buffer.from(text), expected: Buffer.from(answerTo(path)) };
}

function roundTrip(connection: TLSSocket, request: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let seen: Buffer = Buffer.alloc(0);
    const take = (bytes: Buffer) => {
      seen = seen.length === 0 ? bytes : Buffer.concat([seen, bytes]);
      if (!isWhole(seen)) return;
      connection.off("data", take);
      connection.off("close", broken);
      resolve(seen.subarray(seen.indexOf(headEnd) + headEnd.length));
    };
    const broken = () => reject(new WrongAnswerError("a step", "the connection was closed"));
    connection.on("data", take);
    connection.on("close", broken);
    connection.write(request);
  });
}

function isWhole(bytes: Buffer): boolean {
  const head = bytes.indexOf(headEnd);
  if (head === -1) return false;
  const length = /content-length: (\d+)/i.exec(bytes.toString("latin1", 0, head))?.[1];
  return length !== undefined && bytes.length >= head + headEnd.length + Number(length);
}

function check(body: Buffer, expected: Buffer): void {
  if (body.equals(expected)) return;
  throw new WrongAnswerError("a step", `expected ${expected.subarray(0, 40)}…, got ${body.toString()}`);
}

console.log(JSON.stringify(await main(JSON.parse(Deno.args[0] ?? ""))));
