import { deepEqual, equal, throws } from "node:assert/strict";
import fc from "fast-check";
import { anyEnd, anyHeader, anyMore, anyStep } from "../../tests/support/arbitrary_lines.ts";
import { endLine, headerLine, stepLine } from "../../tests/support/trace_lines.ts";
import { formatLine, parseLine } from "./codec.ts";
import type { TraceLine } from "./step.ts";
import { TraceFormatError } from "./trace_format_error.ts";

const place = { path: "runs/a.ndjson", line: 7, offset: 4096 };

for (const [kind, lines] of Object.entries({ trace: anyHeader, step: anyStep, more: anyMore, end: anyEnd })) {
  Deno.test(`parseLine() gives back what formatLine() was given, unknown fields included, when it is a ${kind}`, () => {
    fc.assert(fc.property(lines as fc.Arbitrary<TraceLine>, (line) => {
      const text = formatLine(line);
      equal(text.includes("\n"), false);
      deepEqual(parseLine(text, place), line);
    }));
  });
}

Deno.test("formatLine() writes the fields of a step in the order of the format's page", () => {
  const { error: _none, ...step } = stepLine(3, { optional: true, unknown: { later: 1 } });
  const fields = Object.keys(JSON.parse(formatLine(step)));
  deepEqual(fields, [
    ...["kind", "seq", "type", "key", "timestamp", "latency_ms", "ttfb_ms", "optional", "request", "response"],
    "later",
  ]);
});

/** A line of the kind with one field replaced; `undefined` removes it. */
function broken(line: TraceLine, path: readonly (string | number)[], value: unknown): string {
  const root = { line: JSON.parse(formatLine(line)) };
  let node: Record<string | number, unknown> = root;
  const names = ["line", ...path];
  for (const name of names.slice(0, -1)) node = node[name] as Record<string | number, unknown>;
  node[names.at(-1) ?? ""] = value;
  return JSON.stringify(root.line);
}

const framed = stepLine(1);
const step = stepLine(1, {
  request: { ...framed.request, trailers: [["x", "y"]] },
  ...(framed.response && { response: { ...framed.response, frames: [[1, "server", 1, { text: "hi" }]] } }),
});
const failed = { ...stepLine(2), error: { phase: "dns", code: "ENOTFOUND", message: "no such host" } } as const;
const more = { kind: "more", seq: 1, chunks: [[1, 2]], body: { text: "hi" }, end: "complete" } as const;
const header = headerLine({
  key: { version: 1, ignoreQuery: ["t"], ignoreJson: [], ignoreText: [{ pattern: "date" }] },
});

const mistakes: readonly (readonly [TraceLine, (string | number)[], unknown, string])[] = [
  [step, ["kind"], "stop", '"kind" is "stop", expected one of trace, step, more, end'],
  [step, ["kind"], undefined, '"kind" is missing, expected one of trace, step, more, end'],
  [step, ["seq"], -1, '"seq" is -1, expected a whole number from 0'],
  [step, ["seq"], 1.5, '"seq" is 1.5, expected a whole number from 0'],
  [step, ["type"], "llm", '"type" is "llm", expected one of LLM, HTTP, TOOL, SYSTEM'],
  [step, ["key"], "../../etc", '"key" is "../../etc", expected 64 hexadecimal digits'],
  [step, ["timestamp"], 5, '"timestamp" is 5, expected a string'],
  [step, ["latency_ms"], "5", '"latency_ms" is "5", expected a number'],
  [step, ["ttfb_ms"], undefined, '"ttfb_ms" is missing, expected a number'],
  [step, ["request"], [], '"request" is [], expected an object'],
  [step, ["response"], undefined, '"response" is missing, expected an object, or an error in its place'],
  [step, ["request", "url"], undefined, '"request.url" is missing, expected a string'],
  [step, ["request", "method"], 1, '"request.method" is 1, expected a string'],
  [step, ["request", "http_version"], "3", '"request.http_version" is "3", expected one of 1.0, 1.1, 2'],
  [step, ["request", "headers"], {}, '"request.headers" is {}, expected a list'],
  [step, ["request", "headers", 0], ["a"], '"request.headers[0]" is ["a"], expected a pair of strings, name and value'],
  [step, ["request", "trailers"], 1, '"request.trailers" is 1, expected a list'],
  [
    step,
    ["request", "body"],
    "x",
    '"request.body" is "x", expected null, or an object with text, base64, blob or parts',
  ],
  [step, ["response", "body"], {}, '"response.body.blob" is missing, expected a string'],
  [step, ["response", "status"], 99, '"response.status" is 99, expected a number from 100 to 999'],
  [step, ["response", "status_text"], null, '"response.status_text" is null, expected a string'],
  [step, ["response", "trailers"], undefined, '"response.trailers" is missing, expected a list'],
  [
    step,
    ["response", "chunks", 0],
    [1, -1],
    '"response.chunks[0]" is [1,-1], expected a pair of numbers, milliseconds and bytes',
  ],
  [
    step,
    ["response", "end"],
    "done",
    '"response.end" is "done", expected one of complete, client_closed, upstream_reset, timeout, interrupted, open',
  ],
  [
    step,
    ["response", "frames", 0, 1],
    "proxy",
    '"response.frames[0]" is [1,"proxy",1,{"text":"hi"}], expected milliseconds, client or server, an opcode from 0 to 15 and a payload',
  ],
  [failed, ["error", "phase"], "http", '"error.phase" is "http", expected one of dns, connect, tls, read'],
  [failed, ["error", "code"], undefined, '"error.code" is missing, expected a string'],
  [failed, ["error"], "no", '"error" is "no", expected an object'],
  [more, ["chunks"], undefined, '"chunks" is missing, expected a list'],
  [more, ["body"], undefined, '"body" is missing, expected null, or an object with text, base64, blob or parts'],
  [header, ["version"], "1", '"version" is "1", expected a whole number from 1'],
  [header, ["run_id"], undefined, '"run_id" is missing, expected a string'],
  [header, ["name"], 4, '"name" is 4, expected a string'],
  [header, ["command", 1], 4, '"command[1]" is 4, expected a string'],
  [header, ["env"], null, '"env" is null, expected a list'],
  [header, ["redaction"], undefined, '"redaction.version" is missing, expected a whole number from 1'],
  [header, ["key", "version"], 0, '"key.version" is 0, expected a whole number from 1'],
  [header, ["key", "ignore_query", 0], 0, '"key.ignore_query[0]" is 0, expected a string'],
  [
    header,
    ["key", "ignore_text", 0, "url"],
    1,
    '"key.ignore_text[0]" is {"pattern":"date","url":1}, expected an object with a pattern, and perhaps a url',
  ],
  [endLine(), ["status"], "ok", '"status" is "ok", expected one of completed, failed, interrupted'],
  [endLine(), ["exit_code"], undefined, '"exit_code" is missing, expected a number'],
  [endLine(), ["digest"], undefined, '"digest" is missing, expected a string'],
];
for (const [line, path, value, problem] of mistakes) {
  Deno.test(`parseLine() names path, line, field and what was expected when ${problem.split(", expected")[0]}`, () => {
    throws(() => parseLine(broken(line, path, value), place), {
      name: "TraceFormatError",
      message: `Cannot read trace "runs/a.ndjson", line 7: ${problem}`,
      ...place,
      code: "damaged",
    });
  });
}

const addresses = ["sha256:../../../etc/passwd", `sha256:${"A".repeat(64)}`, "sha1:aa", `x sha256:${"a".repeat(64)}`];
for (const blob of addresses) {
  Deno.test(`parseLine() refuses a blob's address when it is "${blob.slice(0, 30)}"`, () => {
    const text = broken(step, ["response", "body"], { blob, bytes: 1 });
    throws(() => parseLine(text, place), /"response\.body\.blob" is .*, expected "sha256:" and 64 hexadecimal digits/);
  });
}

for (const text of ["", "{", "[]", "null", '"step"', '{"kind":"end"', "\ufeff{}"]) {
  Deno.test(`parseLine() says that a line is no object when it is ${JSON.stringify(text)}`, () => {
    throws(() => parseLine(text, place), /line 7: "line" is .*, expected one whole JSON object$/);
  });
}

const newer: readonly (readonly [path: string[], problem: string])[] = [
  [["version"], '"version" is 2, this agrepl reads up to 1: install agrepl "0.1.0" or later'],
  [["key", "version"], '"key.version" is 2, this agrepl reads up to 1: install agrepl "0.1.0" or later'],
  [["redaction", "version"], '"redaction.version" is 2, this agrepl reads up to 1: install agrepl "0.1.0" or later'],
];
for (const [path, problem] of newer) {
  Deno.test(`parseLine() names the version to install when ${path.join(".")} is newer`, () => {
    throws(() => parseLine(broken(header, path, 2), place), (error) => {
      return error instanceof TraceFormatError && error.code === "newer_version" && error.message.endsWith(problem);
    });
  });
}

Deno.test("parseLine() refuses a step when the trace's version is newer", () => {
  throws(() => parseLine(formatLine(step), place, 2), /"version" is 2, .*: install a newer agrepl$/);
});

Deno.test("parseLine() reads a WebSocket's continuation when it has neither chunks nor body", () => {
  const line = parseLine('{"kind":"more","seq":4,"frames":[[5,"client",1,{"text":"hi"}]],"end":"open"}', place);
  deepEqual(line, {
    kind: "more",
    seq: 4,
    chunks: [],
    body: null,
    frames: [[5, "client", 1, { text: "hi" }]],
    end: "open",
  });
});

Deno.test("parseLine() takes a header without a name for one that nobody named", () => {
  const line = parseLine(broken(header, ["name"], undefined), place);
  equal(line.kind === "trace" ? line.name : undefined, null);
});

Deno.test("parseLine() refuses a time that no double can hold, which would be written back as null", () => {
  const text = formatLine(step).replace('"latency_ms":12.5', '"latency_ms":1e999');
  throws(() => parseLine(text, place), /"latency_ms" is null, expected a number/);
});
