/**
 * Where files stand in the house, told from their paths alone.
 *
 * @module
 */
import { fileURLToPath, pathToFileURL } from "node:url";

/** The folders of lib from left to right; those in one group may not import each other. */
export const order: readonly (readonly string[])[] = [
  ["step"],
  ["redact"],
  ["key"],
  ["lookup"],
  ["lens"],
  ["diff"],
  ["report"],
  ["wire"],
  ["store"],
  ["engine"],
  ["upstream"],
  ["proxy", "inprocess"],
  ["child"],
  ["cli"],
];

/** The folders of lib that know only values. */
export const pureFolders: readonly string[] = ["step", "redact", "key", "lookup", "lens", "diff", "report", "wire"];

/** What the package calls itself: an import by these names reaches the root's own files. */
const ownNames: Readonly<Record<string, string>> = { "@agrepl/core": "mod.ts", "@agrepl/core/cli": "cli.ts" };

/** One file's place. */
export interface Place {
  /** Relative to the root, with forward slashes: `lib/step/body.ts`. Absolute when `area` is `..`. */
  readonly path: string;
  /** The first part of the path: `lib`, `tests`, `mod.ts`; `..` for a file outside the checkout. */
  readonly area: string;
  /** The folder of lib; `""` outside lib and for files directly in lib. */
  readonly folder: string;
  /** Whether it is a test or lies in `testdata/`. */
  readonly isTest: boolean;
}

/**
 * Tells a file's place from its name.
 *
 * @param root The checkout's folder, absolute.
 * @param filename The file, absolute.
 * @returns Its place.
 */
export function placeOf(root: string, filename: string): Place {
  const base = withSlash(slashes(root));
  const file = slashes(filename);
  if (!file.startsWith(base)) return { path: file, area: "..", folder: "", isTest: false };
  const path = file.slice(base.length);
  const parts = path.split("/");
  const folder = parts[0] === "lib" && parts.length > 2 ? parts[1] ?? "" : "";
  return { path, area: parts[0] ?? "", folder, isTest: isTestPath(path) };
}

/**
 * Tells the place of what a file imports.
 *
 * @param root The checkout's folder, absolute.
 * @param filename The importing file, absolute.
 * @param specifier As it stands in the source.
 * @returns The place, or `undefined` for what is no file of the checkout's making: `node:`, npm, JSR, https.
 */
export function targetOf(root: string, filename: string, specifier: string): Place | undefined {
  const own = ownNames[specifier];
  if (own !== undefined) return placeOf(root, withSlash(slashes(root)) + own);
  if (!/^(\.{0,2}\/|file:)/.test(specifier)) return undefined;
  return placeOf(root, fileURLToPath(new URL(specifier, pathToFileURL(filename))));
}

/**
 * Tells the place of a group in the order.
 *
 * @param folder A folder of lib.
 * @returns 0 for the leftmost; -1 for a folder that the order does not name.
 */
export function rankOf(folder: string): number {
  return order.findIndex((group) => group.includes(folder));
}

/**
 * Tells whether a path is product code: what ships, and what the laws of lib hold for.
 *
 * @param place The file's place.
 * @returns True for lib and the two entries of the package.
 */
export function isProduct(place: Place): boolean {
  return place.area === "lib" || place.area === "mod.ts" || place.area === "cli.ts";
}

function isTestPath(path: string): boolean {
  return /_test\.tsx?$/.test(path) || path.includes("/testdata/");
}

function withSlash(path: string): string {
  return path.endsWith("/") ? path : path + "/";
}

/** Windows writes `\`; everywhere else a backslash in a file's name would be a mistake anyway. */
function slashes(path: string): string {
  return path.replaceAll("\\", "/");
}
