import { deepEqual } from "node:assert/strict";
import { Progress } from "./_progress.ts";

/** Runs updates at the given times; gives what was written. */
function written(times: readonly number[]): string[] {
  const texts: string[] = [];
  let now = 0;
  {
    using progress = new Progress("checking", { write: (text) => texts.push(text), elapsedMs: () => now });
    for (const [index, time] of times.entries()) {
      now = time;
      progress.update(index, times.length);
    }
  }
  return texts;
}

Deno.test("Progress says nothing when the work takes less than two seconds", () => {
  deepEqual(written([0, 500, 1999]), []);
});

Deno.test("Progress says how far the work is after two seconds, and clears its line at the end", () => {
  deepEqual(written([0, 2000]), ["\r\x1b[Kagrepl: checking, 1 of 2", "\r\x1b[K"]);
});

Deno.test("Progress speaks five times a second at most", () => {
  deepEqual(written([2000, 2100, 2199, 2200]).length, 3);
});

Deno.test("Progress says nothing where there is no terminal", () => {
  let now = 0;
  using progress = new Progress("checking", { write: null, elapsedMs: () => now });
  now = 5000;
  progress.update(1, 2); // throws if it writes
});
