/**
 * `agrepl run RUN`: the recorded command again.
 *
 * @module
 */
import { Command } from "commander";
import { UsageError } from "../report/mod.ts";
import type { CliContext } from "./_context.ts";
import type { RunOptions } from "./_options.ts";
import { addReplayOptions } from "./replay.ts";

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
    const { rerun } = await import("./_rerun.ts");
    done(await rerun(context, run, options));
  });
}
