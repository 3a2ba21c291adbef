/** What the clients need beyond the machine's own commands: made once, kept between runs. */

import { createHash } from "node:crypto";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Something that takes long to make. */
export interface Recipe {
  /** The start of its folder's name. */
  readonly name: string;
  /** All that the outcome depends on: versions, sources. A change makes it anew. */
  readonly inputs: readonly string[];
  /** Makes it in an empty folder that is its place for good. */
  readonly make: (folder: string) => Promise<void>;
}

// Deno itself looks into no folder of this name, be it for checking, for linting or for tests.
const cache = fileURLToPath(new URL("./node_modules/.cache", import.meta.url));

/** Written last: a folder without it is the remainder of a run that was cut short. */
const completeMark = "complete";

/**
 * Gives the folder of a recipe's outcome, which is made when it is not there yet.
 *
 * @returns The folder's path.
 * @throws {BuildError} when a command of the recipe fails.
 */
export async function fromCache(recipe: Recipe): Promise<string> {
  const digest = createHash("sha256").update(JSON.stringify(recipe.inputs)).digest("hex").slice(0, 12);
  const folder = join(cache, `${recipe.name}-${digest}`);
  await Deno.mkdir(cache, { recursive: true });
  // Two test processes may want the same thing at the same time.
  using lock = await Deno.open(join(cache, `${recipe.name}.lock`), { create: true, write: true });
  await lock.lock(true);
  if (exists(join(folder, completeMark))) return folder;
  await removeOld(recipe.name);
  await Deno.mkdir(folder);
  await recipe.make(folder);
  await Deno.writeTextFile(join(folder, completeMark), "");
  return folder;
}

/** A command that makes a part of a client ended badly. */
export class BuildError extends Error {
  override readonly name = "BuildError";

  constructor(command: readonly string[], output: string) {
    super(`Cannot build a client: "${command.join(" ")}" failed, expected it to end with 0. It said:\n${output}`);
  }
}

/**
 * Runs a command of a recipe.
 *
 * @throws {BuildError} when it does not end with 0.
 */
export async function build(
  command: readonly string[],
  options: { readonly cwd?: string; readonly env?: Record<string, string> } = {},
): Promise<void> {
  const [name = "", ...args] = command;
  const { success, stdout, stderr } = await new Deno.Command(name, { args, ...options }).output();
  const decoder = new TextDecoder();
  if (!success) throw new BuildError(command, decoder.decode(stdout) + decoder.decode(stderr));
}

async function removeOld(name: string): Promise<void> {
  for await (const entry of Deno.readDir(cache)) {
    const old = entry.isDirectory && entry.name.replace(/-[0-9a-f]{12}$/, "") === name;
    if (old) await Deno.remove(join(cache, entry.name), { recursive: true });
  }
}

function exists(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
