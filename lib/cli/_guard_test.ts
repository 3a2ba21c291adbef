import { deepEqual, equal } from "node:assert/strict";
import { guardAgainstBugs } from "./_guard.ts";

Deno.test("guardAgainstBugs() takes a rejection that nobody awaits, and the process goes on", async () => {
  const bugs: unknown[] = [];
  const bug = new Error("nobody awaits this");
  using guard = guardAgainstBugs((error) => bugs.push(error));
  void Promise.reject(bug);
  await new Promise((resolve) => setTimeout(resolve)); // rejections are told at the turn's end
  deepEqual(bugs, [bug]);
  equal(guard.tripped, true);
});

Deno.test("guardAgainstBugs() takes an error that a callback threw, and the process goes on", async () => {
  const bugs: unknown[] = [];
  const bug = new Error("thrown in a callback");
  using guard = guardAgainstBugs((error) => bugs.push(error));
  queueMicrotask(() => {
    throw bug;
  });
  await new Promise((resolve) => setTimeout(resolve));
  deepEqual(bugs, [bug]);
  equal(guard.tripped, true);
});

Deno.test("guardAgainstBugs() is not tripped when nothing went wrong", () => {
  using guard = guardAgainstBugs(() => {});
  equal(guard.tripped, false);
});
