/**
 * `agrepl share RUN`.
 *
 * @module
 */
import { Command } from "commander";
import type { CliContext } from "./_context.ts";
import type { ShareOptions } from "./_share_run.ts";
import { exitCode } from "./_exit.ts";
import { parseAge } from "./gc.ts";
import { addRedactOption } from "./_options.ts";

const examples = `
Examples:
  agrepl share latest
  agrepl share latest --link --expires 12h     a URL that needs no credentials
The bucket is named by AGREPL_S3_BUCKET, its server by AGREPL_S3_ENDPOINT; or AGREPL_R2_BUCKET and AGREPL_R2_ACCOUNT_ID.`;

const weekMs = 7 * 86_400_000;

/** Makes the command. */
export function shareCommand(context: CliContext, done: (code: number) => void): Command {
  const command = new Command("share")
    .description("Send a run to the remote store, where others can pull it.")
    .argument("<RUN>", "an id, its unique start, a name, latest, or sha256:<start>")
    .option("--link", "make a URL of the self-contained form that needs no credentials")
    .option("--expires <age>", "how long the link holds, at most 7d", parseAge, weekMs)
    .option("--force", "share it although it holds what looks like a secret")
    .option("--replace", "take the place of another trace that was shared as this run")
    .option("--json", "print JSON")
    .addHelpText("after", examples);
  return addRedactOption(command).action(async (run: string, options: ShareOptions) => {
    const { shareRunOf } = await import("./_share_run.ts");
    await shareRunOf(context, run, options);
    done(exitCode.same);
  });
}
