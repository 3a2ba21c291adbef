import { deepEqual, equal } from "node:assert/strict";
import fc from "fast-check";
import {
  counted,
  cutLine,
  formatBytes,
  formatCommand,
  formatDuration,
  formatTable,
  printable,
  printableLine,
} from "./text.ts";

const durations: readonly (readonly [ms: number, text: string])[] = [
  [0, "0.0 ms"],
  [9.94, "9.9 ms"],
  [9.96, "10 ms"],
  [999.4, "999 ms"],
  [999.6, "1.00 s"],
  [59_994, "59.99 s"],
  [59_996, "1 min 0 s"],
  [119_700, "2 min 0 s"],
  [125_000, "2 min 5 s"],
];
for (const [ms, text] of durations) {
  Deno.test(`formatDuration() gives "${text}" when it took ${ms} ms`, () => equal(formatDuration(ms), text));
}

const sizes: readonly (readonly [bytes: number, text: string])[] = [
  [0, "0 B"],
  [1023, "1023 B"],
  [1024, "1.0 KiB"],
  [1536, "1.5 KiB"],
  [3 * 1024 ** 2, "3.0 MiB"],
  [5000 * 1024 ** 3, "5000.0 GiB"],
];
for (const [bytes, text] of sizes) {
  Deno.test(`formatBytes() gives "${text}" for ${bytes} bytes`, () => equal(formatBytes(bytes), text));
}

Deno.test("counted() knows one from many, and irregular plurals", () => {
  deepEqual([counted(1, "step"), counted(0, "step"), counted(2, "miss", "misses")], ["1 step", "0 steps", "2 misses"]);
});

Deno.test("formatCommand() quotes what a shell would take apart", () => {
  const command = ["python", "a b.py", "--x=1", "", "it's", "$HOME", "*"];
  equal(formatCommand(command), "python 'a b.py' --x=1 '' 'it'\\''s' '$HOME' '*'");
});

Deno.test("printable() makes an escape sequence harmless and keeps lines, tabs and letters", () => {
  equal(
    printable("a\x1b[31mb\x9b2Jc\x07\r\n\td\x7fü😀"),
    "a\\x1b[31mb\\x9b2Jc\\x07\\x0d\n\tdü😀".replace("dü", "d\\x7fü"),
  );
});

Deno.test("printable() makes what turns the direction of writing visible", () => {
  equal(printable("a\u202eb\u2066c"), "a\\u202eb\\u2066c");
});

Deno.test("printableLine() gives one line without a control, whatever it is given", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => {
    // deno-lint-ignore no-control-regex -- control characters are what must be gone
    equal(/[\x00-\x08\x0a-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/.test(printableLine(text)), false);
  }));
});

Deno.test("cutLine() cuts to the width, the ellipsis included", () => {
  deepEqual([cutLine("abcd", 4), cutLine("abcde", 4), cutLine("abc", 1)], ["abcd", "abc…", "…"]);
});

Deno.test("formatTable() lines columns up but for the last, and gives nothing for no rows", () => {
  deepEqual(formatTable([["a", "bb", "c"], ["aaa", "b", "cccc"]]), ["a    bb  c", "aaa  b   cccc"]);
  deepEqual(formatTable([]), []);
});
