/** Traces made up for a benchmark: as a recorder would have written them, at the speed of a disk. */

import { Buffer } from "node:buffer";
import { compileRules, requestKey } from "../../lib/key/mod.ts";
import { defaultKeyRules, formatLine, type HttpVersion, type Step } from "../../lib/step/mod.ts";
import { answerParts, type ExchangeKind, requestBody, requestHeaders, stepPath } from "./exchange.ts";

/** Where no server listens: a replay needs none. */
export const madeUpAuthority = "bench.example.test";

/** What a made-up trace is to hold. */
export interface MadeUpTrace {
  readonly kind: ExchangeKind;
  readonly steps: number;
  /** @default {"1.1"} */
  readonly httpVersion?: "1.1" | "2";
}

const rules = compileRules(defaultKeyRules, { cwd: "/", home: "/" });
const timestamp = "2026-11-20T09:00:00.000Z";
/** Lines are joined up to about this many characters before they are written. */
const writeLength = 1 << 20;

/**
 * Writes a trace of steps of 1 KiB.
 *
 * @param path The file, overwritten.
 * @param trace How many steps of which kind.
 */
export function writeTrace(path: string, { kind, steps, httpVersion = "1.1" }: MadeUpTrace): void {
  using file = Deno.openSync(path, { write: true, create: true, truncate: true });
  let pending = `${headerLine()}\n`;
  for (let index = 0; index < steps; index++) {
    pending += `${formatLine(toStep(kind, index, httpVersion))}\n`;
    if (pending.length < writeLength) continue;
    writeWhole(file, pending);
    pending = "";
  }
  writeWhole(file, pending);
}

function writeWhole(file: Deno.FsFile, text: string): void {
  let rest: Uint8Array = Buffer.from(text);
  while (rest.length > 0) rest = rest.subarray(file.writeSync(rest));
}

function headerLine(): string {
  return formatLine({
    kind: "trace",
    version: 1,
    runId: "20261120-090000-made",
    name: null,
    command: ["true"],
    cwd: ".",
    timestamp,
    agrepl: "0.1.0",
    env: [],
    key: defaultKeyRules,
    redaction: { version: 1 },
  });
}

function toStep(kind: ExchangeKind, index: number, httpVersion: HttpVersion): Step {
  const path = stepPath(kind, index);
  const url = `https://${madeUpAuthority}${path}`;
  const text = requestBody(kind, index);
  const contentType = kind.method === "POST" ? "application/json" : undefined;
  const { headers, body } = answerParts(path);
  return {
    kind: "step",
    seq: index,
    type: "HTTP",
    key: requestKey({ method: kind.method, url, contentType, body: Buffer.from(text) }, rules),
    timestamp,
    latencyMs: 1.5,
    ttfbMs: 1.25,
    request: {
      method: kind.method,
      url,
      httpVersion,
      headers: requestHeaders(kind, madeUpAuthority),
      body: text === "" ? null : { text },
    },
    response: {
      status: 200,
      statusText: "OK",
      httpVersion,
      headers: Array.from(
        { length: headers.length / 2 },
        (_, at) => [headers[2 * at] ?? "", headers[2 * at + 1] ?? ""],
      ),
      body: { text: Buffer.from(body).toString("latin1") },
      chunks: [[1.25, body.length]],
      trailers: [],
      end: "complete",
    },
  };
}
