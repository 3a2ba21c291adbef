import { deepEqual, equal, throws } from "node:assert/strict";
import { compilePatterns, keptPatterns, redactorFor } from "./patterns.ts";

Deno.test("compilePatterns() refuses what is no regular expression, or matches nothing at all", () => {
  throws(() => compilePatterns(["a("]), /TypeError: Cannot use pattern "a\(": it is no regular expression/);
  throws(() => compilePatterns(["x*"]), /TypeError: Cannot use pattern "x\*": it matches an empty text/);
  equal(compilePatterns(["cust-\\d+"])[0]?.source, "cust-\\d+");
});

Deno.test("keptPatterns() leaves out a pattern that is the secret itself", () => {
  const literal = "hunter2-and-more";
  const key = ["sk-proj-", "Ab1Cd2Ef3Gh4Ij5Kl6Mn7"].join("");
  deepEqual(keptPatterns(["cust-\\d{6}", literal, key, "[A-Z]{3}-\\d+"]), ["cust-\\d{6}", "[A-Z]{3}-\\d+"]);
});

Deno.test("redactorFor() holds to the header's patterns and to those that are added", () => {
  const redactor = redactorFor({ version: 1, patterns: ["cust-\\d{8}"] }, ["emp-\\d{8}"]);
  equal(redactor.text("cust-12345678 emp-12345678 job-12345678").stored, "[redacted-1*] [redacted-2] job-12345678");
});

Deno.test("redactorFor() replaces nothing where the header says that nothing was", () => {
  const text = "password=hunter2hunter2 cust-12345678";
  equal(redactorFor({ version: 1, enabled: false, patterns: ["cust-\\d{8}"] }).text(text).stored, text);
});
