import { deepEqual, equal } from "node:assert/strict";
import { FloodGuard } from "./_flood_guard.ts";

/** How many of so many are allowed at a time. */
function allowed(guard: FloodGuard, count: number, nowMs: number): number {
  return Array.from({ length: count }, () => guard.allows(nowMs)).filter(Boolean).length;
}

Deno.test("FloodGuard allows 1,000 at once, and 100 a second after that", () => {
  const guard = new FloodGuard();
  equal(allowed(guard, 1000, 5000), 1000);
  equal(guard.allows(5009), false);
  deepEqual([allowed(guard, 100, 6015), guard.allows(6015)], [100, false]);
});

Deno.test("FloodGuard saves up no more than 1,000, however long nothing comes and whatever is earned", () => {
  const guard = new FloodGuard();
  guard.allows(0);
  for (let count = 0; count < 5000; count++) guard.earn();
  equal(allowed(guard, 2000, 3_600_000), 1000);
});

Deno.test("FloodGuard allows one more for each that was earned", () => {
  const guard = new FloodGuard();
  allowed(guard, 1000, 0);
  guard.earn();
  deepEqual([guard.allows(0), guard.allows(0)], [true, false]);
});
