import { deepEqual, equal, throws } from "node:assert/strict";
import { endLine, headerLine, keyOfNumber, stepLine } from "../../tests/support/trace_lines.ts";
import { ThrowawayStore } from "../../tests/support/throwaway_store.ts";
import { type Body, type BodyPart, formatLine, type More, type Step, type TraceLine } from "../step/mod.ts";
import { TraceFile } from "./trace_file.ts";

const lines: readonly TraceLine[] = [headerLine(), stepLine(0), stepLine(1), endLine({ steps: 2 })];

/** What a trace of these lines, or of this text, is found to hold. */
function read(content: readonly (TraceLine | string)[] | string) {
  using room = new ThrowawayStore();
  const path = typeof content === "string" ? room.write("a.ndjson", content) : room.writeLines("a.ndjson", content);
  using trace = new TraceFile(path, null);
  const warnings = trace.warnings.map((warning) => warning.replace(path, "a.ndjson"));
  return { seqs: trace.entries.map((entry) => entry.seq), end: trace.end, warnings };
}

/** A step whose text is long enough to make a trace larger than what is decoded when it is opened. */
function longStep(seq: number): Step {
  const { request } = stepLine(seq);
  return stepLine(seq, { request: { ...request, body: { text: "x".repeat(1024 * 1024) } } });
}

const whole = lines.map((line) => `${formatLine(line)}\n`).join("");

Deno.test("TraceFile drops a last line with a warning when it is torn, wherever the cut is", () => {
  const endsAt = whole.length - 1;
  const startsAt = whole.lastIndexOf("\n", endsAt - 1) + 1;
  for (let cut = startsAt + 1; cut < endsAt; cut += 7) {
    const { seqs, end, warnings } = read(whole.slice(0, cut));
    deepEqual(seqs, [0, 1]);
    equal(end, null);
    deepEqual(warnings, ['The last line of "a.ndjson" (line 4) is torn; it is left out']);
  }
});

Deno.test("TraceFile uses a last line when only its newline is missing, as editors leave it", () => {
  const { end, warnings } = read(whole.trimEnd());
  deepEqual(end, endLine({ steps: 2 }));
  deepEqual(warnings, []);
});

Deno.test("TraceFile reads a trace when line endings were converted and fields stand in another order", () => {
  const shuffled = JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(formatLine(stepLine(5)))).reverse()));
  deepEqual(read([headerLine(), shuffled, endLine()]).seqs, [5]);
  deepEqual(read(whole.replaceAll("\n", "\r\n")), { seqs: [0, 1], end: endLine({ steps: 2 }), warnings: [] });
});

Deno.test("TraceFile passes over empty lines and uses lines after the end, with warnings", () => {
  const { seqs, warnings } = read([headerLine(), stepLine(0), "", endLine(), stepLine(1)]);
  deepEqual(seqs, [0, 1]);
  deepEqual(warnings, [
    'Line 3 of "a.ndjson" is empty; it is passed over',
    'Line 5 of "a.ndjson" stands after the end; it is used',
  ]);
});

Deno.test("TraceFile gives key, seq and optional of a step when it is read quickly and when it is parsed whole", () => {
  using room = new ThrowawayStore();
  const optional = stepLine(300, { optional: true, latencyMs: 1e-7, ttfbMs: null });
  const text = formatLine(optional);
  using trace = new TraceFile(
    room.writeLines("a.ndjson", [headerLine(), text, ` ${text.replace("300", "301")}`]),
    null,
  );
  const found = trace.entries.map(({ key, seq, optional }) => ({ key, seq, optional }));
  const key = keyOfNumber(300);
  deepEqual(found, [{ key, seq: 300, optional: true }, { key, seq: 301, optional: true }]);
});

for (
  const [what, content, problem] of [
    ["is empty", "", /a\.ndjson", line 1: the file holds no whole line, expected a trace's header$/],
    ["holds a torn header", '{"kind":"tra', /line 1: the file holds no whole line/],
    ["begins with a step", [stepLine(0)], /line 1: the first line is a "step", expected a trace's header$/],
    ["has a second header", [...lines.slice(0, 3), headerLine()], /line 4: a second header stands here/],
    [
      "has a step twice",
      [...lines.slice(0, 3), stepLine(1)],
      /line 4: step 1 stands here again, expected each seq once$/,
    ],
    [
      "is damaged in the middle",
      [headerLine(), '{"kind":"step","se', endLine()],
      /line 2: "line" is .* whole JSON object$/,
    ],
    [
      "lacks a field",
      [headerLine(), formatLine(stepLine(0)).replace('"url"', '"uri"')],
      /line 2: "request\.url" is missing/,
    ],
    [
      "is newer",
      [formatLine(headerLine()).replace('"version":1', '"version":3')],
      /install agrepl "0\.1\.0" or later$/,
    ],
  ] as const
) {
  Deno.test(`TraceFile says where and why when a trace ${what}`, () => {
    throws(() => read(content), { name: "TraceFormatError", message: problem });
  });
}

Deno.test("TraceFile holds no step when a trace has its header alone", () => {
  deepEqual(read([headerLine()]), { seqs: [], end: null, warnings: [] });
});

/** A step that was written while it was open, with the first byte of its body. */
function openStep(seq: number): Step {
  const step = stepLine(seq);
  if (step.response === undefined) return step;
  return { ...step, response: { ...step.response, body: { text: "h" }, chunks: [[1, 1]], end: "open" } };
}

function moreLine(seq: number, text: string, end: More["end"] = "open"): More {
  return { kind: "more", seq, chunks: [[2, text.length]], body: { text }, end };
}

/** The first step of a trace of these lines. */
function firstStep(content: readonly TraceLine[]): Step | null {
  using room = new ThrowawayStore();
  using trace = new TraceFile(room.writeLines("a.ndjson", content), null);
  const [entry] = trace.entries;
  return entry === undefined ? null : trace.step(entry);
}

Deno.test("TraceFile joins a step and the lines that go on with it, other lines between them", () => {
  const lines = [headerLine(), openStep(0), stepLine(1), moreLine(0, "el"), openStep(2), moreLine(0, "lo", "complete")];
  const { body, chunks, end } = firstStep(lines)?.response ?? {};
  deepEqual({ body, chunks, end }, { body: { text: "hello" }, chunks: [[1, 1], [2, 2], [2, 2]], end: "complete" });
  deepEqual(read(lines), { seqs: [0, 1, 2], end: null, warnings: [] });
});

Deno.test("TraceFile gives what there is of a step, still open, when the run was cut off", () => {
  const { body, end } = firstStep([headerLine(), openStep(0), moreLine(0, "el")])?.response ?? {};
  deepEqual({ body, end }, { body: { text: "hel" }, end: "open" });
});

Deno.test("TraceFile says where a line goes on with a step that has ended, and leaves out one whose step is not there", () => {
  throws(
    () => read([headerLine(), stepLine(0), moreLine(0, "x")]),
    /line 3: it goes on with step 0, which is not open$/,
  );
  const twice = [headerLine(), openStep(0), moreLine(0, "a", "complete"), moreLine(0, "b")];
  throws(() => read(twice), /line 4: it goes on with step 0, which is not open$/);
  const { warnings } = read([headerLine(), stepLine(0), moreLine(7, "x")]);
  deepEqual(warnings, ['Line 3 of "a.ndjson" goes on with step 7, which is not there; it is left out']);
});

Deno.test("TraceFile finds damage in a large trace when the step is used, not before", () => {
  using room = new ThrowawayStore();
  const damaged = formatLine(longStep(1)).replace('"url"', '"uri"');
  const steps = [longStep(0), damaged, longStep(2), longStep(3), longStep(4)];
  using trace = new TraceFile(room.writeLines("a.ndjson", [headerLine(), ...steps]), null);
  const [first, second] = trace.entries;
  deepEqual(first && trace.step(first), longStep(0));
  throws(() => second && trace.step(second), /line 3: "request\.url" is missing, expected a string$/);
});

Deno.test("TraceFile finds damage in a small trace when the step is used, where it is to decode late", () => {
  using room = new ThrowawayStore();
  const damaged = formatLine(stepLine(1)).replace('"url"', '"uri"');
  const path = room.writeLines("a.ndjson", [headerLine(), stepLine(0), damaged]);
  throws(() => new TraceFile(path, null), /line 3/);
  using trace = new TraceFile(path, null, { decode: "late" });
  const [first, second] = trace.entries;
  deepEqual(first && trace.step(first), stepLine(0));
  throws(() => second && trace.step(second), /line 3: "request\.url" is missing, expected a string$/);
});

Deno.test("TraceFile finds a line of a large trace that is cut short when it opens", () => {
  using room = new ThrowawayStore();
  const steps = [0, 1, 2, 3, 4].map((seq) => formatLine(longStep(seq)));
  const path = room.writeLines("a.ndjson", [
    headerLine(),
    steps[0] ?? "",
    steps[1]?.slice(0, -9) ?? "",
    ...steps.slice(2),
  ]);
  throws(() => new TraceFile(path, null), /line 3: "line" is .*, expected one whole JSON object$/);
});

Deno.test("TraceFile says that a line has changed when a large trace is edited while it is open", () => {
  using room = new ThrowawayStore();
  const steps = Array.from({ length: 33 }, (_, index) => longStep(index + 10)); // more than is kept in memory
  const path = room.writeLines("a.ndjson", [headerLine(), ...steps]);
  using trace = new TraceFile(path, null);
  const edited = [headerLine(), ...steps.toReversed()];
  room.writeLines("a.ndjson", edited);
  const last = trace.entries.at(-1);
  throws(() => last && trace.step(last), /line 34: the line has changed, expected step 42$/);
});

const blob = `sha256:${"b".repeat(64)}`;
const blobPath = `.agrepl/blobs/bb/${"b".repeat(64)}`;

/** Opens a body of five bytes that is a blob. */
function readBlob(room: ThrowawayStore, layout = true): string {
  using trace = new TraceFile(room.writeLines("a.ndjson", [headerLine(), stepLine(0)]), layout ? room.layout : null);
  const [entry] = trace.entries;
  if (entry === undefined) throw new TypeError("Cannot go on: the trace holds no step");
  return new TextDecoder().decode(trace.readBody({ blob, bytes: 5 }, entry));
}

Deno.test("readBody() reads a blob of the store", () => {
  using room = new ThrowawayStore();
  room.write(blobPath, "hello");
  equal(readBlob(room), "hello");
});

Deno.test("readBody() says what is wrong when a blob is missing, of another length, or the trace outside a store", () => {
  using room = new ThrowawayStore();
  throws(() => readBlob(room), /line 2: the blob ".*b{64}" is missing, expected 5 bytes$/);
  room.write(blobPath, "hell");
  throws(() => readBlob(room), /line 2: the blob ".*b{64}" has 4 bytes, expected 5$/);
  throws(() => readBlob(room, false), /line 2: it names a blob, but stands outside a store$/);
});

const fiveBytes: readonly Body[] = [
  { blob, bytes: 5 },
  { text: "hello" },
  { base64: "aGVsbG8=" },
  { parts: [{ text: "he" }, { base64: "bGw=" }, { text: "o" }] },
  { parts: [{ text: "h" }, { text: "" }, { text: "ello" }] },
];

Deno.test("openBody() reads parts in order, blobs among them, and refuses all when one is missing", () => {
  using room = new ThrowawayStore();
  room.write(blobPath, "hello");
  using trace = new TraceFile(room.writeLines("a.ndjson", [headerLine(), stepLine(0)]), room.layout);
  const entry = { key: "", seq: 0, optional: false, http2: false, line: noLine };
  const part = { blob, bytes: 5 };
  const read = (parts: readonly BodyPart[]) => new TextDecoder().decode(trace.readBody({ parts }, entry));
  equal(read([part, { text: ", " }, part, part]), "hello, hellohello");
  throws(() => trace.openBody({ parts: [part, { ...part, bytes: 6 }] }, entry), /has 5 bytes, expected 6$/);
});

Deno.test("openBody() gives a body in pieces of the caller's choice, fewer bytes only at the end", () => {
  using room = new ThrowawayStore();
  room.write(blobPath, "hello");
  using trace = new TraceFile(room.writeLines("a.ndjson", [headerLine(), stepLine(0)]), room.layout);
  for (const body of fiveBytes) {
    using reader = trace.openBody(
      body,
      trace.entries[0] ?? { key: "", seq: 0, optional: false, http2: false, line: noLine },
    );
    const pieces = [2, 0, 2, 9, 9].map((bytes) => new TextDecoder().decode(reader.read(bytes)));
    deepEqual({ pieces, rest: reader.rest, bytes: reader.bytes }, {
      pieces: ["he", "", "ll", "o", ""],
      rest: 0,
      bytes: 5,
    });
  }
});

const noLine = { number: 0, offset: 0, bytes: 0, whole: true };
