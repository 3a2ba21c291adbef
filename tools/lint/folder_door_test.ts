import { deepEqual, equal, match } from "node:assert/strict";
import { folderDoor } from "./folder_door.ts";
import { messages } from "./rule_messages.ts";

function explain(path: string, source: string): string | undefined {
  return messages(folderDoor, path, source)[0];
}

Deno.test("folderDoor() explains an import past the door, and lets one through it", () => {
  equal(
    explain("lib/key/key.ts", 'import { Body } from "../step/body.ts";'),
    "Cannot import lib/step/body.ts from lib/key/key.ts: " +
      "the door of lib/step is lib/step/mod.ts, and what it does not export is its own affair",
  );
  equal(explain("lib/key/key.ts", 'import { Body } from "../step/mod.ts";'), undefined);
});

Deno.test("folderDoor() names a private file of another folder as private, and lets its own folder have it", () => {
  equal(
    explain("lib/key/key.ts", 'import { a } from "../step/_codec.ts";'),
    "Cannot import lib/step/_codec.ts from lib/key/key.ts: a name that begins with _ is private to lib/step",
  );
  match(explain("tests/a.ts", 'import { a } from "../lib/step/_old/v0.ts";') ?? "", /private to lib\/step/);
  equal(explain("lib/step/step.ts", 'import { a } from "./_codec.ts";'), undefined);
});

Deno.test("folderDoor() explains why a folder's own door is shut inside", () => {
  const reason = "a door opens from outside; in its own folder it makes a cycle, so name the file";
  const message = (path: string) => `Cannot import lib/step/mod.ts from ${path}: ${reason}`;
  equal(explain("lib/step/step.ts", 'import { a } from "./mod.ts";'), message("lib/step/step.ts"));
  equal(explain("lib/step/step_test.ts", 'import { a } from "./mod.ts";'), message("lib/step/step_test.ts"));
  equal(explain("lib/step/deep/a.ts", 'import { a } from "../mod.ts";'), message("lib/step/deep/a.ts"));
  equal(explain("lib/step/deep/a.ts", 'import { a } from "./mod.ts";'), undefined);
});

Deno.test("folderDoor() does not take an inner mod.ts for the door", () => {
  match(explain("lib/key/key.ts", 'import { a } from "../step/deep/mod.ts";') ?? "", /the door of lib\/step is/);
});

Deno.test("folderDoor() holds outside lib too, but for cli.ts and lib/cli", () => {
  match(explain("bench/run.ts", 'import { a } from "../lib/engine/replay.ts";') ?? "", /the door of lib\/engine/);
  match(explain("mod.ts", 'export * from "./lib/step/body.ts";') ?? "", /the door of lib\/step/);
  match(explain("tests/cli/a_test.ts", 'import "../../lib/cli/main.ts";') ?? "", /the door of lib\/cli/);
  equal(explain("cli.ts", 'import { main } from "./lib/cli/main.ts";'), undefined);
  equal(explain("bench/run.ts", 'import { a } from "../lib/engine/mod.ts"; import "../mod.ts";'), undefined);
});

Deno.test("folderDoor() lets a door re-export and do nothing else", () => {
  equal(
    explain("lib/step/mod.ts", 'import { a } from "./step.ts"; export { a };'),
    "Cannot write code in lib/step/mod.ts: it is its folder's door, and only re-exports with `export … from`",
  );
  deepEqual(messages(folderDoor, "lib/step/mod.ts", 'export * from "./step.ts"; export { b } from "./_b.ts";'), []);
});
