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
  agrepl list --json`;

/** Makes the command. */
export function listCommand(context: CliContext, done: (code: number) => void): Command {
  return new Command("list")
    .description("List the runs of this store, oldest first.")
    .option("--json", "print JSON")
    .addHelpText("after", examples)
    .action(({ json }: { readonly json?: boolean }) => {
      const runs = context.store.list();
      if (json === true) context.print(JSON.stringify(toRunListJson(runs), null, 2));
      else if (runs.length === 0) context.tell("No run is recorded here yet. Begin with: agrepl record -- COMMAND");
      else context.print(formatRunList(runs, context.outPaint));
      done(exitCode.same);
    });
}
