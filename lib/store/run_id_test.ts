import { match, notEqual } from "node:assert/strict";
import { newRunId } from "./run_id.ts";

Deno.test("newRunId() begins with the time in UTC and ends with chance", () => {
  const now = new Date("2026-11-20T09:12:33.120Z");
  match(newRunId(now), /^20261120-091233-[0-9a-z]{4}$/);
  notEqual(Array.from({ length: 8 }, () => newRunId(now)).join(), Array(8).fill(newRunId(now)).join());
});
