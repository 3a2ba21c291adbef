import { deepEqual, equal } from "node:assert/strict";
import fc from "fast-check";
import { Lookup, type OnExhausted, type Recorded } from "./lookup.ts";

interface Entry extends Recorded {
  readonly accept?: string;
}

const any = () => true;

/** Takes a key several times; gives what was served, and how many were used up at each miss. */
function takeAll(entries: readonly Entry[], keys: string, mode?: OnExhausted, suits: (entry: Entry) => boolean = any) {
  const lookup = new Lookup(entries, mode);
  const taken = [...keys].map((key) => lookup.take(key, suits));
  return {
    taken: taken.map((found) => found.kind === "hit" ? found.entry.seq : `miss ${found.usedUp}`),
    unused: lookup.unused().map((entry) => entry.seq),
  };
}

const trace: readonly Entry[] = [
  { key: "a", seq: 0 },
  { key: "b", seq: 1 },
  { key: "a", seq: 2, accept: "text" },
  { key: "a", seq: 5 },
];

Deno.test("take() serves equal keys in the order of seq, and other keys in any order", () => {
  deepEqual(takeAll(trace, "abaa"), { taken: [0, 1, 2, 5], unused: [] });
  deepEqual(takeAll(trace, "aaab"), { taken: [0, 2, 5, 1], unused: [] });
});

Deno.test("take() gives a miss that nothing is used up for when a key was never recorded", () => {
  deepEqual(new Lookup(trace).take("z", any), { kind: "miss", key: "z", usedUp: 0 });
});

Deno.test("take() takes the first unused step that suits, else the first unused", () => {
  const wantsText = (entry: Entry) => entry.accept === "text";
  deepEqual(takeAll(trace, "aaaa", "fail", wantsText).taken, [2, 0, 5, "miss 3"]);
});

Deno.test("take() takes no step that cannot answer, and counts none as used up", () => {
  const may = (entry: Entry) => entry.seq !== 0 && entry.seq !== 5;
  for (const [mode, expected] of [["fail", [2, "miss 1"]], ["last", [2, 2]], ["cycle", [2, 2]]] as const) {
    const lookup = new Lookup(trace, mode);
    const taken = [1, 2].map(() => lookup.take("a", any, may)).map((found) =>
      found.kind === "hit" ? found.entry.seq : `miss ${found.usedUp}`
    );
    deepEqual(taken, expected);
  }
  deepEqual(new Lookup(trace).take("b", any, () => false), { kind: "miss", key: "b", usedUp: 0 });
});

Deno.test("take() asks whether a step suits only when there is a choice", () => {
  const asked: number[] = [];
  takeAll(trace, "baaa", "fail", (entry) => asked.push(entry.seq) > 0);
  deepEqual(asked, [0, 2]);
});

const modes: readonly (readonly [OnExhausted, (number | string)[]])[] = [
  ["fail", [0, 2, 5, "miss 3", "miss 3", "miss 3", "miss 3"]],
  ["last", [0, 2, 5, 5, 5, 5, 5]],
  ["cycle", [0, 2, 5, 0, 2, 5, 0]],
];
for (const [mode, expected] of modes) {
  Deno.test(`take() goes on as it should when a key is used up and the mode is ${mode}`, () => {
    deepEqual(takeAll(trace, "aaaaaaa", mode).taken, expected);
  });
}

Deno.test("take() fails when a key is used up and no mode was named", () => {
  deepEqual(takeAll(trace, "bb").taken, [1, "miss 1"]);
});

Deno.test("take() goes by what suits in every round when the mode is cycle", () => {
  const wantsText = (entry: Entry) => entry.accept === "text";
  deepEqual(takeAll(trace, "aaaaa", "cycle", wantsText).taken, [2, 0, 5, 2, 0]);
});

Deno.test("unused() gives what nobody asked for", () => {
  deepEqual(takeAll(trace, "aa").unused, [5, 1]);
  deepEqual(takeAll([], "a").unused, []);
});

Deno.test("unused() gives nothing of a key when cycle began it anew: all of it was asked for", () => {
  deepEqual(takeAll(trace, "aaaa", "cycle").unused, [1]);
});

/** A trace over a few keys, and its requests in another order. */
const replays = fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 20 }).chain((keys) =>
  fc.record({
    entries: fc.constant(keys.map((key, seq): Entry => ({ key, seq }))),
    asked: fc.shuffledSubarray(keys, { minLength: keys.length }),
  })
);

Deno.test("take() serves each step exactly once, equal keys in order, however requests are interleaved", () => {
  fc.assert(fc.property(replays, ({ entries, asked }) => {
    const { taken, unused } = takeAll(entries, asked.join(""));
    deepEqual(unused, []);
    const served = taken.map((seq, index) => ({ key: asked[index] ?? "", seq: Number(seq) }));
    for (const key of ["a", "b", "c"]) {
      deepEqual(served.filter((each) => each.key === key), entries.filter((each) => each.key === key));
    }
  }));
});

Deno.test("take() serves each step exactly once, whatever suits", () => {
  fc.assert(fc.property(replays, fc.func(fc.boolean()), ({ entries, asked }, suits) => {
    const { taken } = takeAll(entries, asked.join(""), "fail", (entry) => suits(entry.seq));
    deepEqual(taken.toSorted((a, b) => Number(a) - Number(b)), entries.map((entry) => entry.seq));
    equal(takeAll(entries, `${asked.join("")}a`).taken.at(-1), `miss ${entries.filter((e) => e.key === "a").length}`);
  }));
});
