import type { JsonObject } from "./_fields.ts";

/** The version that this agrepl writes. */
export const currentVersion = 1;

/** One step per version: the converter under n turns a line of version n into one of n + 1. Stored files load for ever. */
const converters: ReadonlyMap<number, (line: JsonObject) => JsonObject> = new Map();

/**
 * Brings a parsed line up to the current version.
 *
 * @throws {RangeError} when the line's version is newer than this agrepl, or none that ever was.
 */
export function convertLine(line: JsonObject, version: number): JsonObject {
  const from = line["kind"] === "trace" ? line["version"] : version;
  if (typeof from !== "number" || !Number.isSafeInteger(from) || from < 1) {
    throw new RangeError(`its version is ${JSON.stringify(from)}, expected a whole number from 1 to ${currentVersion}`);
  }
  if (from > currentVersion) {
    throw new RangeError(
      `its version is ${from}, this agrepl reads up to ${currentVersion}: install agrepl ${
        JSON.stringify(line["agrepl"] ?? "latest")
      } or later`,
    );
  }
  let converted = line;
  for (let step = from; step < currentVersion; step++) converted = converters.get(step)?.(converted) ?? converted;
  return converted;
}
