import { deepEqual, equal, throws } from "node:assert/strict";
import { type ChildExit, CommandError, startChild } from "./child.ts";
import { UsageError } from "../report/mod.ts";

const windows = Deno.build.os === "windows"; // there is no sh

async function exitOf(script: string, env: Record<string, string> = {}): Promise<ChildExit> {
  using child = startChild({ command: ["sh", "-c", script], env });
  return await child.exit;
}

Deno.test({
  name: "startChild() hands the exit code on",
  ignore: windows,
  fn: async () => equal((await exitOf("exit 7")).code, 7),
});

Deno.test({
  name: "startChild() gives 128 + n for a child that signal n killed, and counts it as interrupted",
  ignore: windows,
  fn: async () => {
    deepEqual(await exitOf("kill -KILL $$"), { code: 137, interrupted: true });
  },
});

Deno.test({
  name: "startChild() sets variables over the inherited ones",
  ignore: windows,
  fn: async () => equal((await exitOf('test "$AGREPL_TEST" = new && test -n "$PATH"', { AGREPL_TEST: "new" })).code, 0),
});

Deno.test("startChild() throws a 127 when there is no such command", () => {
  throws(
    () => startChild({ command: ["no-such-command-here"], env: {} }),
    (error) => error instanceof CommandError && error.exitCode === 127,
  );
});

Deno.test("startChild() throws a 126 when the file cannot be executed", () => {
  throws(
    () => startChild({ command: [Deno.cwd()], env: {} }),
    (error) => error instanceof CommandError && error.exitCode === 126,
  );
});

Deno.test("startChild() names the folder, not the command, when the folder is what is missing", () => {
  throws(() => startChild({ command: [Deno.execPath()], cwd: "/no/such/folder", env: {} }), {
    name: UsageError.name,
    message: `Cannot run "${Deno.execPath()}" in "/no/such/folder": there is no such folder`,
  });
});

/** Runs a program of its own, since a signal means the whole process: this one also runs everybody else's tests. */
async function runProgram(body: string): Promise<{ readonly success: boolean; readonly printed: string }> {
  const program = `import { startChild } from ${JSON.stringify(import.meta.resolve("./mod.ts"))};\n${body}`;
  const args = ["eval", "--no-lock", program];
  const { success, stdout } = await new Deno.Command(Deno.execPath(), { args, env: { NO_COLOR: "1" } }).output();
  return { success, printed: new TextDecoder().decode(stdout).trim() };
}

for (const [signal, interrupted] of [["SIGTERM", true], ["SIGHUP", true], ["SIGUSR2", false]] as const) {
  Deno.test({
    name: `startChild() hands ${signal} on and says whether it asked the run to end`,
    ignore: windows,
    fn: async () => {
      const name = signal.slice(3);
      const script = `trap "exit 9" ${name}; kill -${name} $PPID; for _ in 1 2 3 4 5 6 7 8 9; do sleep 0.2; done`;
      const { printed } = await runProgram(`
        using child = startChild({ command: ["sh", "-c", ${JSON.stringify(script)}], env: {} });
        console.log(JSON.stringify(await child.exit));`);
      deepEqual(JSON.parse(printed), { code: 9, interrupted });
    },
  });
}

Deno.test({
  name: "RunningChild outlives a signal that comes after its child's end, until it is disposed of",
  ignore: windows,
  fn: async () => {
    // SIGUSR1 ends a process that does not listen to it.
    const { success, printed } = await runProgram(`
      using child = startChild({ command: ["true"], env: {} });
      await child.exit;
      await new Deno.Command("sh", { args: ["-c", "kill -USR1 $PPID"] }).output();
      console.log("still here");`);
    deepEqual({ success, printed }, { success: true, printed: "still here" });
  },
});
