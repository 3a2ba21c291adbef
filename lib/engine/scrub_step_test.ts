import { Buffer } from "node:buffer";
import { deepEqual, equal, ok } from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { ThrowawayStore } from "../../tests/support/throwaway_store.ts";
import { headerLine, stepLine } from "../../tests/support/trace_lines.ts";
import { compileRules } from "../key/mod.ts";
import { Redactor } from "../redact/mod.ts";
import { defaultKeyRules, encodeBody, formatLine, type RecordedResponse, type Step } from "../step/mod.ts";
import { BodySpool, TraceFile } from "../store/mod.ts";
import { scanStep } from "./scan_step.ts";
import { scrubStep } from "./scrub_step.ts";

const secret = ["sk-proj-", "Zq8vT1mNb7XcR4kLw9PsYd2FgHj3Ke5A"].join("");
const rules = compileRules(defaultKeyRules, { cwd: "/work", home: "/home/me" });

function withResponse(changes: Partial<RecordedResponse>): Step {
  const step = stepLine(0);
  return step.response === undefined ? step : { ...step, response: { ...step.response, ...changes } };
}

/** Scrubs one step; gives what it became, the places where something was found before, and those after. */
async function scrubbed(step: Step) {
  using room = new ThrowawayStore();
  const lineOf = (each: Step) => room.writeLines("a.ndjson", [headerLine(), each]);
  using trace = new TraceFile(lineOf(step), null);
  const [entry] = trace.entries;
  if (entry === undefined) throw new TypeError("Cannot scrub: there is no step");
  const before = scanStep(trace, entry, new Redactor()).map(({ place, offset, bytes }) =>
    `${place} ${offset} ${bytes}`
  );
  const sink = { spool: () => new BodySpool(null), append: () => {} };
  const clean = await scrubStep(trace, entry, { redactor: new Redactor(), rules, sink });
  using again = new TraceFile(lineOf(clean), null);
  const after = again.entries.flatMap((each) => scanStep(again, each, new Redactor()));
  equal(formatLine(clean).includes(secret.slice(12)), false);
  return { clean, before, after };
}

Deno.test("scrubStep() cleans URL, headers, trailers and body of a request, and keys it as if it were recorded now", async () => {
  const { request } = stepLine(0);
  const dirty: Step = stepLine(0, {
    request: {
      ...request,
      url: `https://h/?u=${secret}`,
      headers: [["X-Api-Key", secret]],
      trailers: [["x-more", `Bearer ${secret}`]],
      body: { text: `{"q":"${secret}"}` },
    },
  });
  const { clean, before, after } = await scrubbed(dirty);
  deepEqual(before, [
    "request header x-api-key 0 40",
    "request URL 13 40",
    "request trailer x-more 7 40",
    "request body 6 40",
  ]);
  deepEqual(after, []);
  const other = await scrubbed(JSON.parse(JSON.stringify(dirty).replaceAll(secret, secret.replace("Zq8v", "Aa1b"))));
  equal(clean.key, other.clean.key, "K does not depend on the secret");
});

Deno.test("scrubStep() stores a compressed body decoded when something is in it, and leaves it alone when nothing is", async () => {
  for (const [text, decoded] of [[`{"answer":"${secret}"}`, true], ["nothing", undefined]] as const) {
    const bytes = gzipSync(text);
    const headers = [["Content-Encoding", "gzip"], ["Content-Length", String(bytes.length)]] as const;
    const { clean: { response }, after } = await scrubbed(
      withResponse({ headers, body: encodeBody(bytes), chunks: [[1, 10], [2, bytes.length - 10]] }),
    );
    deepEqual([response?.decoded, after.length], [decoded, 0]);
    const stored = response?.chunks.reduce((sum, [, count]) => sum + count, 0);
    equal(stored, decoded ? text.length : bytes.length, "chunks fit what is stored");
  }
});

Deno.test("scrubStep() cleans a WebSocket message as one text, and cuts it where it was", async () => {
  const cut = secret.length - 9;
  const { clean, before, after } = await scrubbed(withResponse({
    status: 101,
    body: null,
    chunks: [],
    frames: [
      [1, "client", 1, { text: `hi ${secret.slice(0, cut)}` }],
      [2, "server", 9, null],
      [3, "client", 0, { text: `${secret.slice(cut)} bye` }],
      [4, "server", 1, { text: secret, deflated: true }],
    ],
  }));
  deepEqual(clean.response?.frames?.map(([, , , payload]) => payload), [
    { text: `hi [redacted-1${"*".repeat(cut - 11)}` },
    null,
    { text: `${"*".repeat(8)}] bye` },
    { text: `[redacted-1${"*".repeat(secret.length - 12)}]`, deflated: true },
  ]);
  ok(before.includes("frame 3 of the server 0 40"));
  deepEqual(after, []);
});

Deno.test("scrubStep() cleans the text of an error", async () => {
  const { response: _response, ...step } = stepLine(0);
  const error = { phase: "connect", code: "E", message: `no route for ${secret}` } as const;
  const { clean, before } = await scrubbed({ ...step, error });
  deepEqual([clean.error?.code, before], ["E", ["error message 13 40"]]);
});

Deno.test("scanStep() looks into compressed bodies, and gives offsets of the decoded text", () => {
  using room = new ThrowawayStore();
  const body = encodeBody(gzipSync(`${" ".repeat(1_100_000)}"${secret}"`));
  const step = withResponse({ headers: [["content-encoding", "gzip"]], body });
  using trace = new TraceFile(room.writeLines("a.ndjson", [headerLine(), step]), null);
  const findings = trace.entries.flatMap((entry) => scanStep(trace, entry, new Redactor()));
  deepEqual(findings, [{ seq: 0, place: "response body", offset: 1_100_001, bytes: 40, start: "sk-p", kind: "rule" }]);
  equal(Buffer.byteLength(secret), 40);
});
