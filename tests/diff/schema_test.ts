/** What `diff --json` prints, held against the schema that is published. */
import { deepEqual, ok } from "node:assert/strict";
import { Ajv2020 } from "ajv/dist/2020.js";
import { createSampler } from "../../bench/world/sampler.ts";
import { toDiffJson } from "../../lib/report/mod.ts";
import schema from "../../schema/diff.v1.schema.json" with { type: "json" };
import { differenceOf } from "../../bench/pairs/in_memory.ts";
import { injections } from "../../bench/pairs/injections.ts";
import { restlessRun } from "../../bench/pairs/restless_run.ts";

const isDiff = new Ajv2020({ strict: true, allowUnionTypes: true, strictRequired: false }).compile(schema);
const trace = { runId: "r", name: null, command: ["x"], timestamp: "t", status: "completed", exitCode: 0 };
const exitCode = { part: "run", field: "exit code", a: "0", b: null, tier: "signal", why: "w" } as const;

for (const { kind, inject } of injections) {
  Deno.test(`toDiffJson() gives what the schema says when a run has another: ${kind}`, () => {
    const { steps } = inject(restlessRun({ content: kind, noise: "b" }), createSampler(kind));
    const difference = differenceOf(restlessRun({ content: kind, noise: "a" }), steps, true);
    const json = JSON.parse(
      JSON.stringify(toDiffJson({ a: trace, b: trace, notes: ["n"], run: [exitCode], difference })),
    );
    isDiff(json);
    deepEqual(isDiff.errors ?? null, null);
    ok(json.summary.signal > 1);
  });
}
