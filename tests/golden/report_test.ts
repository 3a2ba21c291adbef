/** What a user sees, whole: a change of wording shows as a change of a snapshot. */

import { deepEqual, equal } from "node:assert/strict";
import { type Candidate, type ComparedRequest, explainMiss, type MissExplanation } from "../../lib/diff/mod.ts";
import {
  formatMiss,
  formatRecordReport,
  formatReplayReport,
  formatRunList,
  formatStep,
  formatTrace,
  hasDiverged,
  type ListedRun,
  plainPaint,
  type RecordReport,
  type ReplayReport,
  terminalPaint,
  toRecordReportJson,
  toReplayReportJson,
  toRunListJson,
  toStepDocument,
  toTraceDocument,
} from "../../lib/report/mod.ts";
import type { Step } from "../../lib/step/mod.ts";
import { endLine, headerLine, stepLine } from "../support/trace_lines.ts";

const chat: ComparedRequest = {
  method: "POST",
  url: "https://api.example.com/v1/chat?session=2",
  text: '{"model":"m","messages":[{"role":"user","content":"good night"}]}',
  bodyBytes: 65,
};
const recordedChat: Candidate = {
  ...chat,
  seq: 4,
  url: "https://api.example.com/v1/chat?session=1",
  text: '{"model":"m","messages":[{"role":"user","content":"good\\nmorning"}]}',
};
const miss: MissExplanation = explainMiss(chat, { key: "a".repeat(64), usedUp: 0 }, [recordedChat]);

const exact: ReplayReport = {
  runId: "20261120-091233-k3f9",
  mode: "strict",
  steps: 12,
  hits: 12,
  misses: [],
  unused: [],
  differences: new Map(),
  fidelity: 1,
  networkCalls: 0,
  isolation: { held: "sandbox", why: "nothing but loopback exists for the child" },
  recordedMs: 8123.5,
  replayedMs: 412,
  exitCode: 0,
  recordedExitCode: 0,
  allowUnused: false,
  warnings: [],
};
const diverged: ReplayReport = {
  ...exact,
  hits: 8,
  misses: [{ miss, attempts: 3, optional: false }],
  unused: [4, 9, 10],
  differences: new Map([[2, "status 502, recorded 200"]]),
  fidelity: 8 / 12,
  exitCode: 1,
  warnings: ['The last line of "a.ndjson" (line 14) is torn; it is left out'],
};
const forgiven: ReplayReport = {
  ...exact,
  misses: [{ miss: { ...miss, url: "https://registry.npmjs.org/openai" }, attempts: 1, optional: true }],
  hits: 11,
  unused: [3],
  fidelity: 11 / 12,
  allowUnused: true,
};
const many: ReplayReport = {
  ...exact,
  mode: "fallback",
  hits: 1,
  networkCalls: 1,
  unused: Array.from({ length: 11 }, (_, seq) => seq),
  differences: new Map(Array.from({ length: 12 }, (_, seq) => [seq + 20, "other bytes in the body"])),
  fidelity: 0.99999,
  recordedMs: null,
  recordedExitCode: null,
  allowUnused: true,
};
const recorded: RecordReport = {
  runId: "20261120-091233-k3f9",
  name: null,
  steps: 12,
  durationMs: 8123.5,
  exitCode: 0,
  warnings: [],
};
const runs: readonly ListedRun[] = [
  {
    ...{ runId: "20261119-080000-aaaa", name: "answer", digest: `sha256:${"a".repeat(64)}` },
    ...{ command: ["python", "agent.py", "--question", "what is the weather like in the city of Paris"] },
    ...{ timestamp: "2026-11-19T08:00:00.120Z", status: "failed", exitCode: 3, steps: 12 },
  },
  {
    ...{ runId: "20261120-091233-k3f9", name: null, digest: null, command: ["node", "x.js"] },
    ...{ timestamp: "2026-11-20T09:12:33.120Z", status: "recording", exitCode: null, steps: null },
  },
];
const request = stepLine(1).request;
const steps: readonly Step[] = [
  stepLine(0),
  stepLine(1, { type: "LLM", request: { ...request, url: `https://api.example.com/${"long/".repeat(20)}` } }),
  stepLine(7, { type: "SYSTEM", optional: true, response: { ...answerOf(7), status: 404, end: "client_closed" } }),
  failedStep(9),
];

function answerOf(seq: number) {
  const { response } = stepLine(seq);
  if (response === undefined) throw new TypeError("Cannot go on: the step has no response");
  return response;
}

function failedStep(seq: number): Step {
  const { response: _response, ...step } = stepLine(seq, { ttfbMs: null });
  return { ...step, error: { phase: "dns", code: "ENOTFOUND", message: "no such host" } };
}

const rows = steps.map((step, index) => ({ step, requestBytes: index * 700, responseBytes: 5 }));
const trace = { header: headerLine({ name: "answer" }), end: endLine({ steps: 4 }) };
const bodies = { request: "", response: "hello" };

const texts: Readonly<Record<string, string>> = {
  "a replay that was exact": formatReplayReport(exact, plainPaint),
  "a replay that was exact, on a terminal": formatReplayReport(exact, terminalPaint),
  "a replay that diverged": formatReplayReport(diverged, plainPaint),
  "a replay that diverged, on a terminal": formatReplayReport(diverged, terminalPaint),
  "a replay with an unused step forgiven and an optional miss": formatReplayReport(forgiven, plainPaint),
  "a replay with more to say than a screen holds": formatReplayReport(many, plainPaint),
  "a miss that equal steps were used up for": formatMiss(
    explainMiss(chat, { key: "k", usedUp: 2 }, [recordedChat]),
    plainPaint,
  ),
  "a miss in an empty trace": formatMiss(explainMiss(chat, { key: "k", usedUp: 0 }, []), plainPaint),
  "a recording": formatRecordReport(recorded, plainPaint),
  "a recording with a name": formatRecordReport({ ...recorded, name: "my answer", steps: 1 }, plainPaint),
  "an empty recording": formatRecordReport({ ...recorded, steps: 0, warnings: ["Nothing was recorded"] }, plainPaint),
  "a list of runs": formatRunList(runs, plainPaint),
  "a trace": formatTrace(trace, rows, plainPaint),
  "a trace without steps that was cut off": formatTrace({ header: headerLine(), end: null }, [], plainPaint),
  "a step": formatStep(stepLine(3), bodies, plainPaint),
  "a step that failed": formatStep(failedStep(9), { request: '{"a":1}', response: "" }, plainPaint),
};
for (const [what, text] of Object.entries(texts)) {
  Deno.test(`a report shows ${what}`, (t) => t.assertSnapshot(`\n${text}\n`));
}

const values: Readonly<Record<string, unknown>> = {
  "a replay": toReplayReportJson(diverged),
  "a recording": toRecordReportJson(recorded),
  "a list of runs": toRunListJson(runs),
  "a trace": toTraceDocument(trace, steps.slice(2)),
  "a step": toStepDocument(failedStep(9)),
};
for (const [what, value] of Object.entries(values)) {
  Deno.test(`a report gives ${what} as JSON`, (t) => t.assertSnapshot(JSON.stringify(value, null, 2)));
}

Deno.test("a trace's document has every field of the paper's schema", () => {
  const document = toTraceDocument(trace, [stepLine(0)]);
  for (const name of ["run_id", "command", "timestamp", "status", "steps"]) equal(name in document, true, name);
  const [step] = JSON.parse(JSON.stringify(document.steps));
  for (const name of ["type", "request", "response", "latency_ms"]) equal(name in step, true, name);
  for (const name of ["method", "url", "headers", "body"]) equal(name in step.request, true, name);
  for (const name of ["status", "headers", "body"]) equal(name in step.response, true, name);
});

Deno.test("hasDiverged() says so for a miss, a difference and an unused step, which may be forgiven", () => {
  const cases = [exact, { ...exact, misses: diverged.misses }, { ...exact, differences: diverged.differences }];
  const unused = { ...exact, unused: [1] };
  deepEqual([...cases, unused, { ...unused, allowUnused: true }].map(hasDiverged), [false, true, true, true, false]);
});

/** Moves a cursor, rings, and begins a line of its own. */
const evil = "\x1b[2J\x9b31m\x07\u202e\nagrepl replayed: exact";
const evilStep = stepLine(0, {
  timestamp: evil,
  request: { ...request, method: evil, url: `https://h/${evil}`, headers: [[evil, evil]] },
  response: { ...answerOf(0), statusText: evil, headers: [[evil, evil]], trailers: [[evil, evil]] },
});
const evilMiss = {
  ...{ ...miss, method: evil, url: evil, reason: evil, rule: evil },
  nearest: [{ seq: 0, method: evil, url: evil, changes: [{ field: evil, recorded: evil, asked: evil }] }],
};
const evilHeader = headerLine({ runId: evil, name: evil, command: [evil], timestamp: evil });
const harmless: Readonly<Record<string, string>> = {
  "a miss": formatMiss(evilMiss, plainPaint),
  "a replay": formatReplayReport(
    {
      ...diverged,
      runId: evil,
      warnings: [evil],
      differences: new Map([[1, evil]]),
      isolation: { held: "none", why: evil },
    },
    plainPaint,
  ),
  "a recording": formatRecordReport({ ...recorded, name: evil, warnings: [evil] }, plainPaint),
  "a list of runs": formatRunList(
    [{ ...runs[0], ...evilHeader, digest: null, status: "x", exitCode: 0, steps: 0 }],
    plainPaint,
  ),
  "a trace": formatTrace({ header: evilHeader, end: null }, [{
    ...rows[0],
    step: evilStep,
    requestBytes: 0,
    responseBytes: 0,
  }], plainPaint),
  "a step": formatStep(evilStep, { request: "", response: "" }, plainPaint),
  "a step that failed": formatStep(
    { ...failedStep(0), error: { phase: "dns", code: evil, message: evil } },
    bodies,
    plainPaint,
  ),
};
for (const [what, text] of Object.entries(harmless)) {
  Deno.test(`a report makes escape sequences harmless, and lets no line be forged, in ${what}`, () => {
    // deno-lint-ignore no-control-regex -- control characters are what must be gone
    equal(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]/.test(text), false);
    equal(/^agrepl replayed: exact/m.test(text), false);
    equal(text.includes("\\x1b[2J"), true);
  });
}

Deno.test("a report makes escape sequences harmless in bodies, whose lines it keeps", () => {
  const text = formatStep(stepLine(0), { request: evil, response: evil }, plainPaint);
  equal(text.includes("\\x1b[2J\\x9b31m\\x07\\u202e\nagrepl replayed: exact"), true);
});
