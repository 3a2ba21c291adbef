import { equal } from "node:assert/strict";
import { join } from "node:path";
import { commandStanding, findTool } from "./_tool.ts";

/** A folder with one program, one text and one folder in it. */
function inFolder(check: (folder: string) => void): void {
  const folder = Deno.makeTempDirSync({ prefix: "tool-" });
  try {
    Deno.writeTextFileSync(join(folder, "program"), "#!/bin/sh\n", { mode: 0o755 });
    Deno.writeTextFileSync(join(folder, "text"), "", { mode: 0o644 });
    Deno.mkdirSync(join(folder, "folder"));
    check(folder);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

const unix = { ignore: Deno.build.os === "windows" };

Deno.test("commandStanding() tells programs, other files and nothing apart, by PATH", unix, () => {
  inFolder((folder) => {
    const found = ["program", "text", "folder", "none"].map((name) => commandStanding(name, "/", `/none:${folder}`));
    equal(found.join(), "executable,other,other,nothing");
  });
});

Deno.test("commandStanding() takes a path as it stands, relative to the folder", unix, () => {
  inFolder((folder) => {
    equal(commandStanding("./program", folder, ""), "executable");
    equal(commandStanding(join(folder, "none"), "/", folder), "nothing");
  });
});

Deno.test("findTool() looks in PATH first and gives null for what is nowhere", unix, () => {
  inFolder((folder) => {
    equal(findTool("program", folder), join(folder, "program"));
    equal(findTool("no-such-tool-here", folder), null);
  });
});
