/** Runs every script of `scripts/` against the real command line; the format is told in tests/support/script.ts. */
import { equal } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { matchesLines, parseScript, type Script, type ScriptCommand } from "../support/script.ts";
import { type CommandResult, ScriptRoom } from "../support/script_room.ts";
import { startScriptUpstream } from "../support/script_upstream.ts";

const scripts = fileURLToPath(new URL("scripts/", import.meta.url));
const traces = fileURLToPath(new URL("traces/", import.meta.url));

for (const name of namesIn(scripts)) {
  const script = parseScript(Deno.readTextFileSync(scripts + name));
  // A name, a colon, and the sentence: `deno test --filter miss` finds what it should.
  Deno.test({
    name: `${name.replace(/\.txt$/, "")}: ${script.title}`,
    ignore: Deno.build.os === "windows", // there is no sh
    fn: () => runScript(script),
  });
}

async function runScript(script: Script): Promise<void> {
  await using upstream = await startScriptUpstream();
  using room = new ScriptRoom({ ORIGIN: upstream.origin });
  for (const name of namesIn(traces)) room.write(`traces/${name}`, Deno.readTextFileSync(traces + name));
  for (const [path, text] of script.files) room.write(path, text);
  const here = (text: string) => text.replaceAll(room.folder, "<DIR>").replaceAll(upstream.origin, "<ORIGIN>");
  for (const command of script.commands) {
    const { stdout, stderr, code } = await room.run(command.command);
    compare(command, { stdout: here(stdout), stderr: here(stderr), code });
  }
}

function compare(expected: ScriptCommand, { stdout, stderr, code }: CommandResult): void {
  const same = matchesLines(expected.stdout, stdout) && matchesLines(expected.stderr, stderr) && expected.code === code;
  if (same) return;
  const { command, line } = expected;
  const found = formatCommand(command, { stdout, stderr, code });
  const wanted = { stdout: expected.stdout.join("\n"), stderr: expected.stderr.join("\n"), code: expected.code };
  equal(found, formatCommand(command, wanted), `line ${line} gives something else:\n${found}`);
}

/** As a script would have it. */
function formatCommand(command: string, { stdout, stderr, code }: CommandResult): string {
  const marked = (mark: string, text: string) => text.trimEnd().split("\n").map((line) => `${mark} ${line}`);
  const out = stdout === "" ? [] : marked(">", stdout);
  const err = stderr === "" ? [] : marked("2>", stderr);
  return [`$ ${command}`, ...out, ...err, ...(code === 0 ? [] : [`? ${code}`])].join("\n");
}

function namesIn(folder: string): string[] {
  return [...Deno.readDirSync(folder)].map((entry) => entry.name).sort();
}
