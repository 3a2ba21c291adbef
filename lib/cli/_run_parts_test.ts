import { deepEqual, equal, match, throws } from "node:assert/strict";
import { UsageError } from "../report/mod.ts";
import { NoticeLog, orUsageError } from "./_run_parts.ts";

const distrust = { kind: "tls", code: "", userAgent: undefined, message: "unknown ca" } as const;

Deno.test("NoticeLog warns once of each host that a TLS client turned away from", () => {
  const notices = new NoticeLog(["python", "agent.py"]);
  for (const host of ["a.test:443", "a.test:443", "b.test:443"]) notices.take({ ...distrust, host });
  equal(notices.distrust, 2);
  match(notices.warnings().join("\n"), /^Python broke off TLS to a\.test:443 .*\nPython broke off TLS to b\.test:443 /);
});

Deno.test("NoticeLog warns of three refused requests at most, safe to print", () => {
  const notices = new NoticeLog([]);
  for (const reason of ["one\x1b[31m", "two", "three", "four"]) notices.take({ kind: "refused", reason });
  deepEqual(notices.warnings(), ["Refused: one\\x1b[31m", "Refused: two", "Refused: three"]);
});

Deno.test("NoticeLog warns once of each protocol of which nothing is recorded, safe to print", () => {
  const notices = new NoticeLog([]);
  for (const path of ["a\x1b[31m", "b", "c"]) notices.takeUnrecorded(`http://h/${path}`, "tcp");
  notices.takeUnrecorded("http://h/d", "shout");
  deepEqual(notices.warnings(), [
    "Not recorded: upgrade to tcp of http://h/a\\x1b[31m and 2 more",
    "Not recorded: upgrade to shout of http://h/d",
  ]);
});

Deno.test("NoticeLog keeps the first bug for the run's end, and warns of none", () => {
  const notices = new NoticeLog([]);
  equal(notices.failure, undefined);
  for (const error of ["first", "second"]) notices.take({ kind: "failed", error });
  equal(notices.failure, "first");
  deepEqual(notices.warnings(), []);
});

Deno.test("orUsageError() turns what a rule lacks into a usage error with the same words", () => {
  throws(() =>
    orUsageError(() => {
      throw new TypeError("Cannot read rule");
    }), { name: UsageError.name, message: "Cannot read rule" });
});

Deno.test("orUsageError() lets a bug through as it is", () => {
  throws(() =>
    orUsageError(() => {
      throw new RangeError("a bug");
    }), RangeError);
});
