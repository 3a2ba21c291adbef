import { deepEqual, equal } from "node:assert/strict";
import { join } from "node:path";
import { storedKey } from "../../lib/engine/mod.ts";
import { compileRules } from "../../lib/key/mod.ts";
import { Redactor } from "../../lib/redact/mod.ts";
import { TraceFile } from "../../lib/store/mod.ts";
import { answerTo } from "./exchange.ts";
import { writeTrace } from "./trace_maker.ts";

async function withTrace(check: (trace: TraceFile) => void | Promise<void>): Promise<void> {
  const folder = Deno.makeTempDirSync();
  const path = join(folder, "t.ndjson");
  try {
    writeTrace(path, { kind: { method: "POST", distinct: true }, steps: 3 });
    using trace = new TraceFile(path, null);
    await check(trace);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

Deno.test("writeTrace() gives a trace that opens without a warning", () =>
  withTrace((trace) => {
    deepEqual(trace.warnings, []);
    deepEqual(trace.entries.map(({ seq }) => seq), [0, 1, 2]);
    deepEqual(trace.step(trace.entries[2] ?? fail()).response?.body, { text: answerTo("/step/2") });
  }));

Deno.test("writeTrace() gives the keys that the engine computes", () =>
  withTrace(async (trace) => {
    const rules = compileRules(trace.header.key, { cwd: "/", home: "/" });
    for (const entry of trace.entries) {
      equal(await storedKey(trace, entry, { rules, redactor: new Redactor() }), entry.key);
    }
  }));

function fail(): never {
  throw new RangeError("Cannot read step 2: the trace is too short");
}
