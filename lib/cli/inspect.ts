/**
 * `agrepl inspect RUN [SEQ]`.
 *
 * @module
 */
import { Command, InvalidArgumentError } from "commander";
import type { CliContext } from "./_context.ts";
import { exitCode } from "./_exit.ts";

const examples = `
Examples:
  agrepl inspect latest
  agrepl inspect latest 3
  agrepl inspect latest --json`;

/** Makes the command. */
export function inspectCommand(context: CliContext, done: (code: number) => void): Command {
  return new Command("inspect")
    .description("Show a trace, or one of its steps.")
    .argument("<RUN>", "an id, its unique start, a name, latest, sha256:<start>, or a file")
    .argument("[SEQ]", "the step's number", parseSeq)
    .option("--json", "print one JSON document")
    .addHelpText("after", examples)
    .action(async (run: string, seq: number | undefined, { json }: { readonly json?: boolean }) => {
      const { inspectRun } = await import("./_inspect_run.ts");
      inspectRun(context, run, seq, json);
      done(exitCode.same);
    });
}

function parseSeq(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("Expected a step's number.");
}
