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
import { openSecure } from "../support/tunnel.ts";
import { WrongAnswerError } from "../support/wrong_answer_error.ts";

const headEnd = Buffer.from("\r\n\r\n");

async function main(options: StepClientOptions): Promise<StepClientResult> {
  const ca = Deno.readTextFileSync(Deno.env.get("NODE_EXTRA_CA_CERTS") ?? "");
  const connections: TLSSocket[] = [];
  for (let at = 0; at < options.connections; at++) connections.push(await openSecure(options.authority, ca));
  const requests = Array.from({ length: options.requests }, (_, index) => toRequest(options, index));
  const timesUs: number[] = [];
  const startMs = performance.now();
  await Promise.all(connections.map(async (connection, first) => {
    for (let index = first; index < requests.length; index += connections.length) {
      const { bytes, expected } = requests[index] ?? { bytes: Buffer.alloc(0), expected: Buffer.alloc(0) };
      const sentMs = performance.now();
      check(await roundTrip(connection, bytes), expected);
      if (index >= options.warmUp) timesUs.push((performance.now() - sentMs) * 1000);
    }
  }));
  const seconds = (performance.now() - startMs) / 1000;
  for (const connection of connections) connection.destroy();
  return { p50Us: quantile(timesUs, 0.5), p99Us: quantile(timesUs, 0.99), perSecond: requests.length / seconds };
}

/** Made before the clock runs. */
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
      resolve(seen);
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

function check(answer: Buffer, expected: Buffer): void {
  const body = answer.subarray(answer.indexOf(headEnd) + headEnd.length);
  if (body.equals(expected)) return;
  throw new WrongAnswerError("a step", `expected ${expected.subarray(0, 40)}…, got ${answer.toString()}`);
}

console.log(JSON.stringify(await main(JSON.parse(Deno.args[0] ?? ""))));
