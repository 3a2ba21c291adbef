import assert from "node:assert/strict";
import { createClock } from "./clock.ts";

Deno.test("createClock() goes on by a second when the wall's time stands still", () => {
  const read = createClock(() => 5_000);
  assert.deepEqual([read().getTime(), read().getTime(), read().getTime()], [5_000, 6_000, 7_000]);
});

Deno.test("createClock() follows the wall when that is ahead", () => {
  const wall = [1_000, 9_000, 9_500];
  const read = createClock(() => wall.shift() ?? 0);
  assert.deepEqual([read().getTime(), read().getTime(), read().getTime()], [1_000, 9_000, 10_000]);
});
