import { isObject, type JsonObject, NewerVersionError, readVersion } from "./_fields.ts";

/** The version that this agrepl writes. */
export const currentVersion = 1;

/** One step per version: the converter under n turns a line of version n into one of n + 1. Stored files load for ever. */
const converters: ReadonlyMap<number, (line: JsonObject) => JsonObject> = new Map();

/**
 * Brings a parsed line up to the current version.
 *
 * @throws {FieldError} when its version is none that ever was.
 * @throws {NewerVersionError} when its version is newer than this agrepl.
 */
export function convertLine(line: JsonObject, version: number): JsonObject {
  const from = readVersion(line["kind"] === "trace" ? line : { version }, "version");
  if (from > currentVersion) throw new NewerVersionError("version", from, currentVersion, writerOf(line));
  let converted = line;
  for (let step = from; step < currentVersion; step++) converted = converters.get(step)?.(converted) ?? converted;
  return converted;
}

/** The agrepl that wrote a header, and so can read it. */
export function writerOf(header: JsonObject): string | null {
  const writer = header["agrepl"];
  return typeof writer === "string" ? writer : null;
}

/** Reads the rules of a header that have a version of their own, refusing those that this agrepl does not know. */
export function readRules(header: JsonObject, field: string): JsonObject {
  const rules = isObject(header[field]) ? header[field] : {};
  const version = readVersion(rules, "version", `${field}.version`);
  if (version > 1) throw new NewerVersionError(`${field}.version`, version, 1, writerOf(header));
  return rules;
}
