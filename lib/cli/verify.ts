/**
 * `agrepl verify RUN`.
 *
 * @module
 */
import { Command } from "commander";
import type { CliContext } from "./_context.ts";
import type { VerifyOptions } from "./_verify_all.ts";

const examples = `
Examples:
  agrepl verify latest
  agrepl verify failure.ndjson --json
  agrepl verify --all`;

/** Makes the command. */
export function verifyCommand(context: CliContext, done: (code: number) => void): Command {
  return new Command("verify")
    .description("Check that a trace is whole: its lines, its digest, its large bodies, its keys.")
    .argument("[RUN]", "an id, its unique start, a name, latest, sha256:<start>, or a file")
    .option("--all", "check every run of the store")
    .option("--json", "print JSON")
    .addHelpText("after", examples)
    .action(async (run: string | undefined, options: VerifyOptions) => {
      const { verify } = await import("./_verify_all.ts");
      done(await verify(context, run, options));
    });
}
