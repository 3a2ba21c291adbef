import { deepEqual, equal, throws } from "node:assert/strict";
import { UsageError } from "../report/mod.ts";
import { defaultKeyRules } from "../step/mod.ts";
import { parsePace, readTrust, requireChildCommand, withKeyOptions } from "./_options.ts";

Deno.test("parsePace() reads none, recorded, and factors", () => {
  deepEqual(["none", "recorded", "2", "0.5"].map(parsePace), ["none", 1, 2, 0.5]);
});

for (const text of ["", "0", "-1", "fast", "Infinity", "1e999"]) {
  Deno.test(`parsePace() refuses "${text}"`, () => {
    throws(() => parsePace(text), { code: "commander.invalidArgument" });
  });
}

Deno.test("withKeyOptions() gives the trace's own rules when the command line adds none", () => {
  equal(withKeyOptions(defaultKeyRules, { ignoreQuery: [], ignoreJson: [], ignoreText: [] }), defaultKeyRules);
});

Deno.test("withKeyOptions() adds to the trace's rules, and takes none away", () => {
  const rules = { ...defaultKeyRules, ignoreQuery: ["ts"] };
  deepEqual(withKeyOptions(rules, { ignoreQuery: ["v"], ignoreJson: ["#/a"], ignoreText: ["date"] }), {
    version: 1,
    ignoreQuery: ["ts", "v"],
    ignoreJson: ["#/a"],
    ignoreText: [{ pattern: "date" }],
  });
});

Deno.test("requireChildCommand() gives what stands behind --", () => {
  deepEqual(requireChildCommand(["a", "b"], "x -- y", []), ["a", "b"]);
});

for (const [found, stray] of [[null, []], [[], []], [["a"], ["b"]]] as const) {
  Deno.test(`requireChildCommand() shows the right usage for ${JSON.stringify(found)} behind, ${stray.length} before`, () => {
    throws(() => requireChildCommand(found, "agrepl x -- y", stray), {
      name: UsageError.name,
      message: /as in: agrepl x -- y$/,
    });
  });
}

Deno.test("readTrust() names the file that it cannot read", () => {
  throws(() => readTrust(["/no/such.pem"], {}), {
    name: UsageError.name,
    message: 'Cannot read certificates from "/no/such.pem": no such file or directory',
  });
});
