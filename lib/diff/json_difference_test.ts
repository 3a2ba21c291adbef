import { deepEqual, equal, ok } from "node:assert/strict";
import fc from "fast-check";
import { type JsonChange, jsonDifference } from "./json_difference.ts";

/** Changes as `/path: a -> b`, `order` for another order. */
function changesOf(a: unknown, b: unknown): string[] {
  return jsonDifference(a, b).map(format);
}

function format({ path, a, b, moved }: JsonChange): string {
  return `${moved ? "order " : ""}/${path.join("/")}: ${JSON.stringify(a)} -> ${JSON.stringify(b)}`;
}

const cases: readonly (readonly [what: string, a: unknown, b: unknown, expected: string[]])[] = [
  ["equal values", { a: [1, { b: null }] }, { a: [1, { b: null }] }, []],
  ["members in another order", { a: 1, b: 2 }, { b: 2, a: 1 }, []],
  ["a member changed", { a: { b: 1 } }, { a: { b: 2 } }, ["/a/b: 1 -> 2"]],
  ["a member of another type", { a: 1 }, { a: "1" }, ['/a: 1 -> "1"']],
  ["a member added and one gone", { a: 1 }, { b: 1 }, ["/a: 1 -> undefined", "/b: undefined -> 1"]],
  ["a member that is null", { a: null }, {}, ["/a: null -> undefined"]],
  ["an item changed", [1, 2, 3], [1, 9, 3], ["/1: 2 -> 9"]],
  ["an item gone in the middle", [1, 2, 3, 4], [1, 3, 4], ["/1: 2 -> undefined"]],
  ["an item added in front", [{ a: 1 }, { a: 2 }], [{ a: 0 }, { a: 1 }, { a: 2 }], ['/0: undefined -> {"a":0}']],
  ["items in another order", ["a", "b", "c"], ["c", "a", "b"], ["order /: [0,1,2] -> [2,0,1]"]],
  ["an item moved and one changed", [1, 2, 3, { a: 4 }], [2, 1, 3, { a: 5 }], [
    "order /: [0,1,2] -> [1,0,2]",
    "/3/a: 4 -> 5",
  ]],
  ["a list for a record", { a: [] }, { a: {} }, ["/a: [] -> {}"]],
  ["zero and minus zero", { a: 0 }, { a: -0 }, []],
  ["a name of the language", JSON.parse('{"__proto__":1}'), JSON.parse('{"__proto__":2}'), ["/__proto__: 1 -> 2"]],
];
for (const [what, a, b, expected] of cases) {
  Deno.test(`jsonDifference() names each place for ${what}`, () => deepEqual(changesOf(a, b), expected));
}

Deno.test("jsonDifference() finds the item that is new among items that are alike", () => {
  const item = (name: string, size: number) => ({ name, size, kind: "file", owner: "me" });
  const a = [item("a", 1), item("b", 2), item("c", 3)];
  const b = [item("a", 9), item("new", 0), item("b", 2), item("c", 3)];
  deepEqual(changesOf(a, b), [`/1: undefined -> ${JSON.stringify(item("new", 0))}`, "/0/size: 1 -> 9"]);
});

Deno.test("jsonDifference() matches items past their noise, and reports it", () => {
  const a = [{ id: "x1", n: 1 }, { id: "x2", n: 2 }];
  const b = [{ id: "y2", n: 2 }, { id: "y1", n: 1 }];
  const changes = jsonDifference(a, b, (path) => path.at(-1) === "id").map(format);
  deepEqual(changes, ["order /: [0,1] -> [1,0]", '/0/id: "x1" -> "y1"', '/1/id: "x2" -> "y2"']);
});

Deno.test("jsonDifference() takes a moment for long lists", () => {
  const a = Array.from({ length: 50_000 }, (_, index) => ({ index, name: `n${index}` }));
  const begun = performance.now();
  equal(jsonDifference(a, a.toSpliced(20, 1).toSpliced(40_000, 0, { index: -1, name: "new" })).length, 2);
  ok(performance.now() - begun < 10_000, "quadratic");
});

const anyJson = fc.jsonValue({ maxDepth: 4 });

Deno.test("jsonDifference() finds nothing between a value and itself", () => {
  fc.assert(fc.property(anyJson, (value) => deepEqual(changesOf(value, structuredClone(value)), [])));
});

Deno.test("jsonDifference() finds something whenever two values are not the same", () => {
  fc.assert(fc.property(anyJson, anyJson, (a, b) => {
    const plain = (value: unknown) => JSON.parse(JSON.stringify(value));
    const same = canonical(plain(a)) === canonical(plain(b));
    equal(jsonDifference(plain(a), plain(b)).length === 0, same);
  }));
});

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical)}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return `{${Object.entries(value).map(([name, child]) => `${JSON.stringify(name)}:${canonical(child)}`).sort()}}`;
}
