/**
 * `agrepl verify RUN`.
 *
 * @module
 */
import { Command } from "commander";
import { counted } from "../report/mod.ts";
import type { CliContext } from "./_context.ts";
import { exitCode } from "./_exit.ts";

const examples = `
Examples:
  agrepl verify latest
  agrepl verify failure.ndjson --json`;

/** Makes the command. */
export function verifyCommand(context: CliContext, done: (code: number) => void): Command {
  return new Command("verify")
    .description("Check that a trace is whole: its lines, its digest, its large bodies, its keys.")
    .argument("<RUN>", "an id, its unique start, a name, latest, sha256:<start>, or a file")
    .option("--json", "print JSON")
    .addHelpText("after", examples)
    .action(async (run: string, { json }: { readonly json?: boolean }) => {
      const { verifyRun } = await import("./_verify_run.ts");
      const { path, steps, findings } = await verifyRun(context, run);
      if (json === true) context.print(JSON.stringify({ path, steps, findings }, null, 2));
      else if (findings.length === 0) context.print(`${path}: whole, ${counted(steps, "step")}`);
      else {context.print([
          `${path}: ${counted(findings.length, "finding")}`,
          ...findings.map((each) => `  ${each}`),
        ].join("\n"));}
      done(findings.length === 0 ? exitCode.same : exitCode.findings);
    });
}
