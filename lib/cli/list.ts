/**
 * `agrepl list`.
 *
 * @module
 */
import { Command } from "commander";
import { formatRunList, toRunListJson } from "../report/mod.ts";
import type { CliContext } from "./_context.ts";
import { exitCode } from "./_exit.ts";

const examples = `
Examples:
  agrepl list
  agrepl list --json
  agrepl list --remote`;

/** Makes the command. */
export function listCommand(context: CliContext, done: (code: number) => void): Command {
  return new Command("list")
    .description("List the runs of this store, oldest first.")
    .option("--remote", "list what is shared in the remote store instead")
    .option("--json", "print JSON")
    .addHelpText("after", examples)
    .action(async ({ json, remote }: { readonly json?: boolean; readonly remote?: boolean }) => {
      if (remote === true) {
        const { listRemote } = await import("./_list_remote_run.ts");
        await listRemote(context, json === true);
        return done(exitCode.same);
      }
      const runs = context.store.list();
      if (json === true) context.print(JSON.stringify(toRunListJson(runs), null, 2));
      else if (runs.length === 0) context.tell("No run is recorded here yet. Begin with: agrepl record -- COMMAND");
      else context.print(formatRunList(runs, context.outPaint));
      done(exitCode.same);
    });
}
