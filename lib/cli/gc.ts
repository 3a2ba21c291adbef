/**
 * `agrepl gc`.
 *
 * @module
 */
import { Command, InvalidArgumentError } from "commander";
import type { CliContext } from "./_context.ts";
import type { GcOptions } from "./_gc_run.ts";
import { exitCode } from "./_exit.ts";

const examples = `
Examples:
  agrepl gc                              show what can go: nothing is removed
  agrepl gc --keep 20 --older-than 30d   and runs beyond the newest 20 that are older than 30 days
  agrepl gc --keep 20 --yes              remove it`;

/** Makes the command. */
export function gcCommand(context: CliContext, done: (code: number) => void): Command {
  return new Command("gc")
    .description("Show, or remove, what the store can do without: old runs, bodies that no trace names.")
    .option("--keep <n>", "keep this many of the newest runs", parseCount)
    .option("--older-than <age>", "runs older than this can go: 90m, 12h, 30d, 8w", parseAge)
    .option("--yes", "remove it; without this nothing is")
    .option("--json", "print JSON")
    .addHelpText("after", examples)
    .action(async (options: GcOptions) => {
      const { gcRun } = await import("./_gc_run.ts");
      gcRun(context, options);
      done(exitCode.same);
    });
}

function parseCount(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("Expected a whole number from 0.");
}

const unitMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** Reads an age: `90m`, `12h`, `30d`, `8w`. */
export function parseAge(text: string): number {
  const [, count, unit = ""] = /^(\d{1,6})([mhdw])$/.exec(text) ?? [];
  if (count === undefined) throw new InvalidArgumentError("Expected a number and a unit: 90m, 12h, 30d, 8w.");
  return Number(count) * (unitMs[unit] ?? 0);
}
