import { deepEqual } from "node:assert/strict";
import { judge } from "./machine_test_case.ts";

Deno.test("judge() lets a test run when nothing is missing", () => {
  deepEqual(judge([], "true"), { kind: "run" });
});

Deno.test("judge() ignores a test and names the commands that are missing", () => {
  deepEqual(judge(["go", "java"], undefined), { kind: "ignore", reason: 'there is no "go" and no "java" on PATH' });
});

Deno.test("judge() fails a test in CI when a command is missing", () => {
  deepEqual(judge(["go"], "true"), { kind: "fail", reason: 'there is no "go" on PATH' });
});
