import { deepEqual } from "node:assert/strict";
import { ThrowawayStore } from "../../tests/support/throwaway_store.ts";
import { namedDigests } from "./named_digests.ts";

const digest = (digit: string) => `sha256:${digit.repeat(64)}`;

Deno.test("namedDigests() finds a digest that lies across two slabs, at every cut", () => {
  using room = new ThrowawayStore();
  for (const before of [0, 1, 7, 35, 70, 71, 72]) {
    const text = `${" ".repeat(1024 * 1024 - before)}"${digest("a")}" and "${digest("b")}"`;
    deepEqual([...namedDigests(room.write("x", text))], [digest("a"), digest("b")], `${before} bytes before the cut`);
  }
});

Deno.test("namedDigests() finds what a damaged line names", () => {
  using room = new ThrowawayStore();
  deepEqual([...namedDigests(room.write("x", `{"kind":"st ${digest("c")} \xff${digest("c")}`))], [digest("c")]);
  deepEqual([...namedDigests(room.write("y", `sha256:${"c".repeat(63)}`))], []);
});
