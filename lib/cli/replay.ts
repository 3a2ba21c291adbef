/**
 * `agrepl replay RUN -- COMMAND`.
 *
 * @module
 */
import { Command, Option } from "commander";
import type { CliContext } from "./_context.ts";
import {
  addChildOptions,
  addKeyOptions,
  addRedactOption,
  addSandboxOptions,
  parsePace,
  type ReplayOptions,
  reportOption,
  requireChildCommand,
} from "./_options.ts";

const examples = `
Examples:
  agrepl replay latest -- python agent.py
  agrepl replay login --timing recorded -- curl https://api.example.com/me
  agrepl replay tests/agent.ndjson --allow-unused -- deno run -A agent.ts
  agrepl replay latest --keep --fallback -- python agent.py     what is new is recorded`;

/** Makes the command. */
export function replayCommand(context: CliContext, done: (code: number) => void): Command {
  const command = new Command("replay")
    .description("Run a command on what was recorded, with the network gone.")
    .usage("[options] <RUN> -- COMMAND [ARGUMENTS]")
    .argument("<RUN>", "an id, its unique start, a name, latest, sha256:<start>, or a file")
    .allowExcessArguments()
    .addHelpText("after", examples);
  return addReplayOptions(command).action(async (run: string, options: ReplayOptions) => {
    const usage = `agrepl replay ${run} -- python agent.py`;
    const child = requireChildCommand(context.childCommand, usage, command.args.slice(1));
    const { replayRun } = await import("./_replay_run.ts");
    done(await replayRun(context, { run, command: child, cwd: context.cwd, options }));
  });
}

/** Adds what `replay` and `run` share. */
export function addReplayOptions(command: Command): Command {
  command
    .option("--fallback", "send what was not recorded to the live network; it still counts as a miss")
    .addOption(
      new Option("--timing <pace>", "none (at once), recorded, or a factor: 2 is twice as fast")
        .default("none").argParser(parsePace),
    )
    .addOption(
      new Option("--on-exhausted <what>", "when equal requests outnumber the recorded ones")
        .choices(["fail", "last", "cycle"]).default("fail"),
    )
    .option("--allow-unused", "recorded steps that nobody asks for are no divergence")
    .option("--keep", "store what the command asks for, and what it is answered, as a run of its own")
    .addOption(
      new Option("--isolation <layer>", "what holds the child; auto is the strongest that there is")
        .choices(["auto", "sandbox", "deno", "proxy"]).default("auto").env("AGREPL_ISOLATION"),
    )
    .addOption(reportOption());
  return addSandboxOptions(addChildOptions(addKeyOptions(addRedactOption(command))));
}
