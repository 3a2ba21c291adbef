/** The paper's Table I: the diff of a real pair of runs, row by row as the paper prints it. */
import { equal } from "node:assert/strict";
import { formatDiffReport, plainPaint } from "../../lib/report/mod.ts";
import type { Header, Step } from "../../lib/step/mod.ts";
import { differenceOf } from "../../bench/pairs/in_memory.ts";
import { stepLine } from "../support/trace_lines.ts";

const recorded: readonly Header[] = [
  ["Content-Type", "text/html; utf-8"],
  ["X-Cache", "HIT"],
  ["Server", "GitHub.com"],
  ["Date", "Sat, 18 Apr 2026 09:12:33 GMT"],
  ["X-Timer", "S1776503553.1,VS0,VE243"],
  ["X-Fastly-Request-Id", "7f882b2f11e0"],
  ["X-GitHub-Request-Id", "27F4:1C94:5D1"],
  ["X-Served-By", "cache-cpt13826"],
  ["Age", "0"],
  ["Set-Cookie", "NID=AEC=AaJma5; path=/"],
];
const live: readonly Header[] = [
  ["Location", "https://fire.example/"],
  ["Content-Type", "text/html"],
  ["X-Cache", "MISS"],
  ["Server", "GitHub.com"],
  ["Date", "Sun, 19 Apr 2026 09:42:33 GMT"],
  ["X-Timer", "S1776591753.4,VS0,VE1"],
  ["X-Fastly-Request-Id", "3bba3e68aa27"],
  ["X-GitHub-Request-Id", "BBDA:253A:77C"],
  ["X-Served-By", "cache-jnb7024"],
  ["Age", "2355"],
];

function run(status: number, statusText: string, headers: readonly Header[]): Step[] {
  const step = stepLine(0);
  return step.response === undefined ? [] : [{ ...step, response: { ...step.response, status, statusText, headers } }];
}

const table = `
  field                E1                             E2                             tier     shown
  HTTP Status          200 OK                         301 Moved                      Signal   ✓
  Location             (absent)                       https://fire.example/          Signal   ✓
  Content-Type         text/html; utf-8               text/html                      Signal   ✓
  X-Cache              HIT                            MISS                           Signal   ✓
  Server               GitHub.com                     GitHub.com                     Equal    —
  Date                 Sat, 18 Apr 2026 09:12:33 GMT  Sun, 19 Apr 2026 09:42:33 GMT  Noise    ✗
  X-Timer              S1776503553.1,VS0,VE243        S1776591753.4,VS0,VE1          Noise    ✗
  X-Fastly-Request-Id  7f882b2f11e0                   3bba3e68aa27                   Noise    ✗
  X-Github-Request-Id  27F4:1C94:5D1                  BBDA:253A:77C                  Noise    ✗
  X-Served-By          cache-cpt13826                 cache-jnb7024                  Noise    ✗
  Age                  0                              2355                           Noise    ✗
  Set-Cookie/NID       AEC=AaJma5; path=/             (absent)                       Removed  ✗
`;

function tableOf(verbose: boolean): string {
  const trace = { runId: "e", name: null, command: [], timestamp: "", status: "completed", exitCode: 0 };
  const difference = differenceOf(run(200, "OK", recorded), run(301, "Moved", live), verbose);
  const report = { a: trace, b: trace, notes: [], run: [], difference };
  const text = formatDiffReport(report, { verbose, timing: false }, plainPaint);
  return `\n${text.split("\n").filter((line) => /^ {2}\S/.test(line)).join("\n")}\n`;
}

Deno.test("diff --verbose of the paper's pair is the paper's Table I", () => {
  equal(tableOf(true), table);
});

Deno.test("diff of the paper's pair shows the rows that Table I shows by default", () => {
  const narrow = (rows: string) => rows.split("\n").map((row) => row.replace(/ {2,}/g, "  "));
  const shown = narrow(table).filter((row) => /^(?: {2}field|.* Signal)/.test(row));
  equal(narrow(tableOf(false)).filter((row) => row !== "").join("\n"), shown.join("\n"));
});
