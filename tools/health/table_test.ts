import { deepEqual, equal } from "node:assert/strict";
import type { Health } from "./measure.ts";
import { formatJson, formatTable } from "./table.ts";

const place = (line: number) => ({ path: "lib/a.ts", line, name: "f", amount: 13 });

const health: Health = {
  files: 2,
  lines: 90,
  functions: 7,
  rows: [
    {
      id: "cyclomatic_max",
      label: "cyclomatic, max",
      ours: 13,
      best: 10,
      cap: 12,
      unit: "",
      worst: [place(3), place(9)],
    },
    { id: "suppressions", label: "suppressions", ours: 1 / 3, best: 0, cap: Infinity, unit: "", worst: [] },
    { id: "plain_errors", label: "plain Error", ours: null, best: 0, cap: 0, unit: "%", worst: [] },
  ],
};

Deno.test("formatTable() sets ours beside the best seen and the cap, and says what is over", () => {
  const expected = [
    "2 files, 90 lines, 7 functions of product code",
    "",
    "measure          ours  best seen  cap",
    "cyclomatic, max  13    10         12  over",
    "suppressions     0.3   0          -",
    "plain Error      -     0 %        0 %",
    "",
  ];
  deepEqual(formatTable(health, 0).split("\n"), expected);
});

Deno.test("formatTable() lists as many places as asked for under their figure", () => {
  const lines = formatTable(health, 1).split("\n");
  deepEqual(lines.slice(3, 5), ["cyclomatic, max  13    10         12  over", "      13  lib/a.ts:3  f"]);
  equal(lines.length, 8);
});

Deno.test("formatJson() keeps every figure, says what is over, and cuts the places", () => {
  const { files, rows } = JSON.parse(formatJson(health, 1));
  equal(files, 2);
  const { ours, cap, over, worst } = rows[0];
  deepEqual({ ours, cap, over, worst }, { ours: 13, cap: 12, over: true, worst: [place(3)] });
  deepEqual([rows[1].cap, rows[2].ours, rows[2].over], [null, null, false]);
});
