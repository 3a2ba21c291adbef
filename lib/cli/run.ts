/**
 * `agrepl run RUN`: the recorded command again.
 *
 * @module
 */
import { resolve } from "node:path";
import { Command } from "commander";
import { UsageError } from "../child/mod.ts";
import { formatCommand, printable } from "../report/mod.ts";
import type { TraceHeader } from "../step/mod.ts";
import type { CliContext } from "./_context.ts";
import { findTrace, openTrace } from "./_open_trace.ts";
import type { ReplayOptions } from "./_options.ts";
import { addReplayOptions } from "./replay.ts";

/** What `run` understands beyond `replay`. */
export interface RunOptions extends ReplayOptions {
  readonly yes?: boolean;
}

const examples = `
Examples:
  agrepl run latest
  agrepl run 20261120-091233-k3f9 --timing recorded
  agrepl run failure.ndjson --yes`;

/** Makes the command. */
export function runCommand(context: CliContext, done: (code: number) => void): Command {
  const command = new Command("run")
    .description("Run the recorded command again, on what was recorded, with the network gone.")
    .usage("[options] <RUN>")
    .argument("<RUN>", "an id, its unique start, a name, latest, sha256:<start>, or a file")
    .option("--yes", "run the command of a trace that was not recorded here without asking")
    .addHelpText("after", examples);
  return addReplayOptions(command).action(async (run: string, options: RunOptions) => {
    if (context.childCommand !== null) {
      throw new UsageError(
        `Cannot give "run" a command: it runs the recorded one; agrepl replay ${run} -- COMMAND takes another`,
      );
    }
    const { header, known } = readHeader(context, run);
    if (!known && options.yes !== true) askBeforeRunning(context, header);
    const { replayRun } = await import("./_replay_run.ts");
    // The header's cwd is relative to the folder that holds the store, wherever agrepl was called.
    const cwd = known ? resolve(context.store.layout.root, "..", header.cwd) : context.cwd;
    done(await replayRun(context, { run, command: header.command, cwd, options }));
  });
}

function readHeader(context: CliContext, run: string): { readonly header: TraceHeader; readonly known: boolean } {
  const known = findTrace(context, run).ref !== null;
  using trace = openTrace(context, run);
  if (trace.header.command.length > 0) return { header: trace.header, known };
  throw new UsageError(`Cannot run "${run}": its trace names no command; give one: agrepl replay ${run} -- COMMAND`);
}

/** A file from elsewhere carries a stranger's command. */
function askBeforeRunning(context: CliContext, header: TraceHeader): void {
  context.tell(
    `This trace was not recorded in this store. Its command is:\n  ${printable(formatCommand(header.command))}`,
  );
  if (!Deno.stdin.isTerminal()) {
    throw new UsageError(
      "Cannot ask whether to run it, since stdin is no terminal: pass --yes, or give agrepl replay a command of your own",
    );
  }
  context.tell("Run it? [y/N]");
  const answer = new Uint8Array(64);
  const read = Deno.stdin.readSync(answer) ?? 0;
  if (!/^y(?:es)?$/i.test(new TextDecoder().decode(answer.subarray(0, read)).trim())) {
    throw new UsageError("Cannot run the command: the answer was not yes");
  }
}
