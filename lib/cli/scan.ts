/**
 * `agrepl scan [RUN]`.
 *
 * @module
 */
import { Command } from "commander";
import type { CliContext } from "./_context.ts";
import type { ScanOptions } from "./_scan_run.ts";
import { addRedactOption } from "./_options.ts";

const examples = `
Examples:
  agrepl scan
  agrepl scan latest
  agrepl scan tests/answer.ndjson --json
  agrepl scan latest --redact 'cust-[0-9]{8}'`;

/** Makes the command. */
export function scanCommand(context: CliContext, done: (code: number) => void): Command {
  const command = new Command("scan")
    .description("Find what looks like a secret in a trace, or in all of the store.")
    .argument("[RUN]", "an id, its unique start, a name, latest, sha256:<start>, or a file")
    .option("--json", "print JSON")
    .addHelpText("after", examples);
  return addRedactOption(command).action(async (run: string | undefined, options: ScanOptions) => {
    const { scanRun } = await import("./_scan_run.ts");
    done(scanRun(context, run, options));
  });
}
