/**
 * `deno task health`: product code in figures, beside the best seen and the house's caps.
 *
 * Takes lib, mod.ts and cli.ts; gives a table, or JSON with `--json`; `--worst N` lists the places behind each figure.
 * Never writes a file. With `--check` a figure beyond its cap makes the exit code 1; without, it is 0.
 *
 * @module
 */
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { isOver, measure } from "./health/measure.ts";
import { readProduct } from "./health/sources.ts";
import { formatJson, formatTable } from "./health/table.ts";

/** What the command line asks for. */
export interface HealthOptions {
  readonly json: boolean;
  readonly check: boolean;
  /** How many places to list for each figure. */
  readonly worst: number;
}

/**
 * Parses the command line.
 *
 * @param args The arguments after the script's name.
 * @returns The options.
 * @throws {TypeError} when an option is unknown.
 * @throws {RangeError} when `--worst` is no whole number from 0.
 */
export function parseOptions(args: readonly string[]): HealthOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      json: { type: "boolean", default: false },
      check: { type: "boolean", default: false },
      worst: { type: "string", default: "0" },
    },
  });
  if (!/^\d+$/.test(values.worst)) {
    throw new RangeError(`Cannot list the worst places: "${values.worst}" was given, a whole number was expected`);
  }
  return { json: values.json, check: values.check, worst: Number(values.worst) };
}

/**
 * Measures the checkout that this file stands in and prints the figures.
 *
 * @param args The arguments after the script's name.
 * @returns The exit code: 0; 1 when `--check` found a figure beyond its cap; 2 for a wrong option.
 */
export async function main(args: readonly string[]): Promise<number> {
  const options = optionsOrExplain(args);
  if (options === undefined) return 2;
  const health = measure(await readProduct(fileURLToPath(new URL("..", import.meta.url))));
  const format = options.json ? formatJson : formatTable;
  await new Blob([format(health, options.worst)]).stream().pipeTo(Deno.stdout.writable, { preventClose: true });
  return options.check && health.rows.some((row) => isOver(row)) ? 1 : 0;
}

function optionsOrExplain(args: readonly string[]): HealthOptions | undefined {
  try {
    return parseOptions(args);
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    return undefined;
  }
}

if (import.meta.main) Deno.exit(await main(Deno.args));
