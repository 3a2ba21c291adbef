/**
 * `agrepl export RUN FILE`.
 *
 * @module
 */
import { Command } from "commander";
import type { CliContext } from "./_context.ts";
import type { ExportOptions } from "./_export_run.ts";
import { exitCode } from "./_exit.ts";

const examples = `
Examples:
  agrepl export latest failure.ndjson
  agrepl export latest - | gzip > failure.ndjson.gz`;

/** Makes the command. */
export function exportCommand(context: CliContext, done: (code: number) => void): Command {
  return new Command("export")
    .description("Write a trace as one self-contained file: no store is needed to replay it.")
    .argument("<RUN>", "an id, its unique start, a name, latest, sha256:<start>, or a file")
    .argument("<FILE>", "where it goes; - is stdout")
    .option("--force", "replace the file if it is there")
    .option("--json", "print JSON")
    .addHelpText("after", examples)
    .action(async (run: string, file: string, options: ExportOptions) => {
      const { exportRun } = await import("./_export_run.ts");
      exportRun(context, { run, file }, options);
      done(exitCode.same);
    });
}
