import { equal, match, throws } from "node:assert/strict";
import { CommandError } from "../child/mod.ts";
import { UsageError } from "../report/mod.ts";
import { UpstreamError } from "../engine/mod.ts";
import { TraceFormatError } from "../step/mod.ts";
import { TraceNotFoundError } from "../store/mod.ts";
import { explainFailure } from "./_exit.ts";
import { UnreadableTraceError } from "./_unreadable_trace_error.ts";

const place = { path: "a.ndjson", line: 3, offset: 9 };
const cases: readonly (readonly [error: Error, code: number])[] = [
  [new UsageError("no"), 2],
  [new CommandError("x", 127, null), 127],
  [new TraceFormatError(place, "it is torn"), 5],
  [new TraceNotFoundError("x", []), 5],
  [new UnreadableTraceError("x", new Error("Permission denied (os error 13)")), 5],
  [new UpstreamError("dns", "ENOTFOUND", "no such host"), 4],
  [new Deno.errors.NotCapable("Requires read access"), 2],
];

for (const [error, code] of cases) {
  Deno.test(`explainFailure() gives ${code} and one line for ${error.name}`, () => {
    const failure = explainFailure(error);
    equal(failure.code, code);
    equal(failure.message.includes("\n"), false);
  });
}

Deno.test("explainFailure() takes what the system says of a file for no bug, and names the file", () => {
  throws(() => Deno.openSync("/no/such/file"), (error) => {
    const { code, message } = explainFailure(error);
    equal(code, 5);
    match(message, /^Cannot read or write a file: .*: open '\/no\/such\/file'$/);
    return true;
  });
});

Deno.test("explainFailure() takes a full disk for no bug", () => {
  const full = Object.assign(new Error("No space left on device (os error 28)"), { code: "ENOSPC" });
  equal(explainFailure(full).message, "Cannot read or write a file: No space left on device");
});

Deno.test("explainFailure() shows the stack of a bug, and asks for a report", () => {
  const { code, message } = explainFailure(new ReferenceError("x is not defined"));
  equal(code, 70);
  match(
    message,
    /^This is a bug in agrepl\. Please report it with what stands below\.\nReferenceError: x[^]*_exit_test/,
  );
});

Deno.test("explainFailure() takes a refused connection that nobody expected for a bug", () => {
  equal(explainFailure(Object.assign(new Error("refused"), { code: "ECONNREFUSED" })).code, 70);
});
