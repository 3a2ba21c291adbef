import { deepEqual } from "node:assert/strict";
import { excerpt } from "./excerpt.ts";

const cases: readonly (readonly [what: string, a: string | null, b: string | null, expected: (string | null)[]])[] = [
  ["short ones", "abc", "abd", ["abc", "abd"]],
  ["an absent one", null, "x".repeat(10), [null, "xxxxxxxx…"]],
  ["a change at the end", `${"x".repeat(20)}1`, `${"x".repeat(20)}2`, ["…xx1", "…xx2"]],
  ["a short one beside a long one", "x", `x${"y".repeat(20)}`, ["x", "xyyyyyyy…"]],
];
for (const [what, a, b, expected] of cases) {
  Deno.test(`excerpt() keeps what differs of ${what}`, () => {
    const cut = excerpt(a, b, 8);
    deepEqual([cut.a, cut.b], expected);
  });
}
