import { deepEqual, equal, throws } from "node:assert/strict";
import { matchesLines, parseScript } from "./script.ts";

Deno.test("parseScript() reads commands with their output and exit code", () => {
  const { title, commands } = parseScript("# It fails.\n$ x 1\n> out\n2> err\n? 3\n\n$ y\n");
  equal(title, "It fails.");
  deepEqual(commands, [
    { command: "x 1", line: 2, stdout: ["out"], stderr: ["err"], code: 3 },
    { command: "y", line: 7, stdout: [], stderr: [], code: 0 },
  ]);
});

Deno.test("parseScript() reads files up to the next one", () => {
  const { files } = parseScript("# t\n-- a/b.txt --\none\n\n-- c --\ntwo\n");
  deepEqual([...files], [["a/b.txt", "one\n\n"], ["c", "two\n"]]);
});

Deno.test("parseScript() throws when a line is none of the format's", () => {
  throws(() => parseScript("# t\n$ x\nout\n"), { name: "SyntaxError", message: "Cannot read line 3: out" });
});

Deno.test("parseScript() throws when no sentence says what the script holds", () => {
  throws(() => parseScript("$ x\n"), SyntaxError);
});

Deno.test("matchesLines() takes a placeholder for what varies, and nothing else", () => {
  equal(matchesLines(["run <ID>: 1.0"], "run 20261120-091233-k3f9: 1.0\n"), true);
  equal(matchesLines(["run <ID>: 1.0"], "run 20261120-091233-k3f9: 1x0\n"), false);
  equal(matchesLines(["took <TIME>"], "took a while\n"), false);
});

Deno.test("matchesLines() takes three dots for any number of lines", () => {
  equal(matchesLines(["a", "...", "z"], "a\nb\nc\nz\n"), true);
  equal(matchesLines(["a", "...", "z"], "a\nz\n"), true);
  equal(matchesLines(["a", "...", "z"], "a\nb\n"), false);
});

Deno.test("matchesLines() finds a line too many and a line too few", () => {
  equal(matchesLines([], "a\n"), false);
  equal(matchesLines(["a"], ""), false);
});
