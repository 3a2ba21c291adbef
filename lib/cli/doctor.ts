/**
 * `agrepl doctor [-- COMMAND]`.
 *
 * @module
 */
import { Command } from "commander";
import { UsageError } from "../report/mod.ts";
import type { CliContext } from "./_context.ts";

const examples = `
Examples:
  agrepl doctor                        what this machine can hold a child with
  agrepl doctor -- python agent.py     and whether Python's requests reach agrepl
  agrepl doctor --json -- node agent.js`;

/** Makes the command. */
export function doctorCommand(context: CliContext, done: (code: number) => void): Command {
  return new Command("doctor")
    .description("Say what this machine can do, and whether a command's traffic reaches agrepl.")
    .usage("[options] [-- COMMAND [ARGUMENTS]]")
    .option("--json", "print JSON")
    .addHelpText("after", examples)
    .action(async ({ json }: { readonly json?: boolean }) => {
      if (context.childCommand?.length === 0) {
        throw new UsageError(
          'No command given: nothing stands behind "--", expected as in: agrepl doctor -- node agent.js',
        );
      }
      const { doctorRun } = await import("./_doctor_run.ts");
      done(await doctorRun(context, json === true));
    });
}
