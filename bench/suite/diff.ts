/** How well a comparison tells meaning from noise, and how long it takes. */

import { join } from "node:path";
import { type ComparedTrace, tablesOnly, textBody, traceDifference } from "../../lib/diff/mod.ts";
import { defaultKeyRules } from "../../lib/step/mod.ts";
import { injectedPairs, quietPair } from "../pairs/found.ts";
import { agreplCommand } from "../support/agrepl.ts";
import { runSucceeding } from "../support/program.ts";
import { type Row, valueRow } from "../support/row.ts";
import { inRounds, type SuiteOptions } from "../support/suite.ts";
import { writeTrace } from "../support/trace_maker.ts";
import { WrongAnswerError } from "../support/wrong_answer_error.ts";

const pairs = 1000;
const roundsPerKind = 8;
const sizes = [1000, 100_000] as const;
const rounds = 3;

/**
 * Compares pairs of runs without a change and with one, then traces of many steps.
 *
 * @param options The suite's folder, and by how much rounds are multiplied.
 * @returns What was shown wrongly, precision and recall, and the time of large comparisons.
 */
export async function measureDiff({ folder, rounds: factor }: SuiteOptions): Promise<readonly Row[]> {
  return [...quietRows(), ...injectedRows(), ...await timeRows(folder, rounds * factor), otherwiseRow(rounds * factor)];
}

function quietRows(): Row[] {
  const found = Array.from({ length: pairs }, (_, index) => quietPair(index));
  const title = `${pairs.toLocaleString("en")} pairs without a change`;
  return [
    valueRow(`${title}: shown by default`, found.map(({ signals }) => signals.length), {
      unit: "",
      goal: { atMost: 0 },
    }),
    valueRow(`${title}: a step, unfiltered (the paper: 7.2)`, found.map((each) => each.unfiltered / each.steps), {
      unit: "",
    }),
  ];
}

function injectedRows(): Row[] {
  const found = injectedPairs(roundsPerKind);
  const named = found.reduce((sum, { signals }) => sum + signals.length, 0);
  const hits = found.filter((each) => each.hits > 0).length;
  const title = `${found.length} changes, one at a time`;
  return [
    valueRow(`${title}: precision`, [hits / named], { unit: "", goal: { atLeast: 1 } }),
    valueRow(`${title}: recall`, [hits / found.length], { unit: "", goal: { atLeast: 1 } }),
  ];
}

function timeRows(folder: string, rounds: number): Promise<Row[]> {
  return inRounds(sizes.length, async (at) => {
    const steps = sizes[at] ?? 0;
    const path = join(folder, `${steps}.ndjson`);
    writeTrace(path, { kind: { method: "POST", distinct: true }, steps });
    const times = await inRounds(rounds, async () => {
      const { stdout, wallMs } = await runSucceeding(agreplCommand(["diff", path, path]), { cwd: folder });
      if (!stdout.includes(`the same: ${steps} steps`)) {
        throw new WrongAnswerError("diff of a trace and itself", stdout);
      }
      return wallMs;
    });
    const name = `agrepl diff, ${steps.toLocaleString("en")} steps against as many, all read`;
    return valueRow(name, times, { unit: "ms", goal: { atMost: 10_000 } });
  });
}

/** The worst case of matching: every question is asked otherwise. */
function otherwiseRow(rounds: number): Row {
  const steps = sizes.at(-1) ?? 0;
  const times = Array.from({ length: rounds }, () => {
    const begun = performance.now();
    const { steps: found } = traceDifference(questions("old", steps), questions("new", steps), {
      rules: tablesOnly,
      keyRules: defaultKeyRules,
    });
    if (!found.every(({ a, b }) => a?.seq === b?.seq)) {
      throw new WrongAnswerError("the partner of a question", "another one");
    }
    return performance.now() - begun;
  });
  const name = `in memory, ${steps.toLocaleString("en")} steps, every one asked otherwise`;
  return valueRow(name, times, { unit: "ms", goal: { atMost: 30_000 } });
}

function questions(word: string, steps: number): ComparedTrace {
  const answer = { status: 200, statusText: "OK", headers: [], trailers: [], end: "complete", frames: [] };
  return {
    keys: Array.from({ length: steps }, (_, index) => `${word} ${index}`),
    step: (seq) => ({
      seq,
      type: "LLM",
      optional: false,
      beganMs: seq * 100,
      latencyMs: 50,
      httpVersion: "1.1",
      method: "POST",
      url: "https://api.example.com/v1/chat",
      request: {
        headers: [],
        body: textBody(JSON.stringify({ model: "m", n: seq, prompt: `${word} ${seq * 7919 % 99_991}` })),
      },
      response: { ...answer, body: textBody("ok") },
      error: null,
    }),
  };
}
