import { ok } from "node:assert/strict";
import { systemClock } from "./exchange.ts";

Deno.test("systemClock sleeps as long as it is told", async () => {
  const startMs = systemClock.elapsedMs();
  await systemClock.sleep(20);
  ok(systemClock.elapsedMs() - startMs >= 18);
  ok(Math.abs(systemClock.now() - Date.now()) < 1000);
});

Deno.test("systemClock wakes up when its signal says so, and leaves no timer behind", async () => {
  const awake = new AbortController();
  const startMs = systemClock.elapsedMs();
  const sleep = systemClock.sleep(60_000, awake.signal);
  awake.abort();
  await sleep;
  ok(systemClock.elapsedMs() - startMs < 10_000);
});
