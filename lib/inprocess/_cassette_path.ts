import { createHash } from "node:crypto";
import { basename, dirname, extname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { CassetteOptions } from "./cassette_options.ts";

/** A cassette's place, and what its recording is called. */
export interface CassettePlace {
  /** Absolute. */
  readonly path: string;
  /** The test's name, or `null`. */
  readonly name: string | null;
}

/**
 * Finds a cassette's place.
 *
 * @param at A path, a file URL, or the test that the cassette belongs to: `tests/x_test.ts` and "asks twice" give
 * `tests/__cassettes__/x_test/asks-twice.ndjson`.
 * @throws {TypeError} when it is a URL of no file, or empty.
 */
export function cassettePlace(at: CassetteOptions["path"]): CassettePlace {
  if (at instanceof URL) return { path: toPath(at), name: null };
  if (typeof at !== "string") return placeOfTest(at);
  if (at === "") throw new TypeError("Cannot use an empty path as a cassette: expected a file");
  return { path: resolve(at), name: null }; // now: the function may change the folder
}

function placeOfTest(test: Deno.TestContext): CassettePlace {
  const file = toPath(new URL(test.origin));
  const names = namesOf(test);
  const folder = join(dirname(file), "__cassettes__", basename(file, extname(file)));
  const last = names.length - 1;
  const parts = names.map((name, at) => at === last ? `${slugOf(name)}.ndjson` : slugOf(name));
  return { path: join(folder, ...parts), name: names.join(" > ") };
}

/** From the outermost test to the step at hand. */
function namesOf({ name, parent }: { readonly name: string; readonly parent?: Deno.TestContext }): string[] {
  return parent === undefined ? [name] : [...namesOf(parent), name];
}

function toPath(url: URL): string {
  if (url.protocol === "file:") return fileURLToPath(url);
  throw new TypeError(`Cannot keep a cassette at "${url.href}": it is no file, expected a file: URL`);
}

/** Every system takes names of this length. */
const slugLimit = 80;

/** What may get lost from a name without two tests becoming one. */
const plainName = /^[\w .,:;'"!()-]*$/;

function slugOf(name: string): string {
  const words = name.toLowerCase().replace(/[^\p{Letter}\p{Number}]+/gu, "-").replace(/^-|-$/g, "");
  if (words !== "" && words.length <= slugLimit && plainName.test(name)) return words;
  const mark = createHash("sha256").update(name).digest("hex").slice(0, 8);
  return [...words].slice(0, slugLimit - 10).join("") + (words === "" ? mark : `-${mark}`);
}
