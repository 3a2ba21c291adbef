import { deepEqual, equal } from "node:assert/strict";
import fc from "fast-check";
import { isOver, measure, percentile, type Row } from "./measure.ts";
import type { Source } from "./sources.ts";

function rowOf(sources: readonly Source[], id: string): Row {
  const row = measure(sources).rows.find((one) => one.id === id);
  if (row === undefined) throw new RangeError(`Cannot find row "${id}"`);
  return row;
}

/** `count` functions, the n-th of n + 1 lines. */
function stairs(count: number): Source {
  const functions = Array.from({ length: count }, (_, n) => `function f${n}() {${"\n".repeat(n)}}`);
  return { path: "lib/a/a.ts", text: functions.join("\n") + "\n" };
}

Deno.test("measure() counts files over 400 lines, and 400 is not over", () => {
  const file = (path: string, lines: number) => ({ path, text: "//\n".repeat(lines) });
  const row = rowOf([file("lib/a.ts", 400), file("lib/b.ts", 401)], "files_over_400");
  deepEqual([row.ours, row.worst[0]?.path, row.worst[0]?.amount], [1, "lib/b.ts", 401]);
});

Deno.test("measure() takes p95 and max over all functions, the longest first among the worst", () => {
  const row = rowOf([stairs(100)], "function_lines_p95");
  deepEqual([row.ours, row.worst[0]?.name], [95, "f99"]);
  equal(rowOf([stairs(100)], "function_lines_max").ours, 100);
});

Deno.test("measure() gives cyclomatic and nesting figures", () => {
  const sources = [{ path: "lib/a.ts", text: "function f() { if (a) { for (;;) b(); } }\nfunction g() {}" }];
  const figures = ["cyclomatic_p95", "cyclomatic_max", "nesting_max"].map((id) => rowOf(sources, id).ours);
  deepEqual(figures, [3, 3, 2]);
});

Deno.test("measure() counts escapes per 1,000 lines", () => {
  const text = "let a: any;\nb!;\nc!;\n// @ts-ignore\n" + "//\n".repeat(496);
  const figures = ["any", "non_null", "suppressions"].map((id) => rowOf([{ path: "lib/a.ts", text }], id).ours);
  deepEqual(figures, [2, 4, 2]);
});

Deno.test("measure() gives shares of the public surface and of the throws", () => {
  const text = "/** Words. */\nexport function f() { throw new Error(); }\nexport const b = () => { throw b; };";
  const sources = [{ path: "mod.ts", text }];
  const ids = ["public_documented", "public_examples", "plain_errors"];
  deepEqual(ids.map((id) => rowOf(sources, id).ours), [50, 0, 50]);
  deepEqual(rowOf(sources, "public_documented").worst.map((one) => `${one.name}:${one.line}`), ["b:3"]);
});

Deno.test("measure() counts import cycles", () => {
  const sources = [{ path: "lib/a.ts", text: 'import type {} from "./b.ts";' }, {
    path: "lib/b.ts",
    text: 'import "./a.ts";',
  }];
  equal(rowOf(sources, "import_cycles").ours, 1);
});

Deno.test("measure() gives null, and nothing over, when there is nothing to measure", () => {
  const { rows } = measure([]);
  deepEqual(rows.filter((row) => row.ours === null).length, 11);
  deepEqual(rows.filter(isOver), []);
});

Deno.test("isOver() takes the cap as the most, and for shares of what should be as the least", () => {
  const row: Row = { id: "a", label: "a", ours: 12, best: 10, cap: 12, unit: "", worst: [] };
  deepEqual([12, 13].map((ours) => isOver({ ...row, ours })), [false, true]);
  deepEqual([100, 99].map((ours) => isOver({ ...row, ours, best: 100, cap: 100 })), [false, true]);
});

Deno.test("percentile() gives a value that at least the share of all do not exceed", () => {
  equal(percentile([], 0.95), null);
  const share = fc.double({ min: 0.01, max: 1, noNaN: true });
  fc.assert(fc.property(fc.array(fc.integer(), { minLength: 1 }), share, (values, asked) => {
    const found = percentile(values, asked) ?? NaN;
    equal(values.includes(found), true);
    equal(values.filter((value) => value <= found).length >= asked * values.length, true);
    equal(values.filter((value) => value < found).length < asked * values.length, true);
  }));
});
