import type { Header } from "./step.ts";

/** A parsed JSON object whose fields nobody has checked yet. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** What is wrong with a field; the codec adds where the line stands. */
export class FieldError extends TypeError {
  constructor(field: string, expected: string, found: unknown) {
    super(`"${field}" is ${describe(found)}, expected ${expected}`);
  }
}

function describe(value: unknown): string {
  if (value === undefined) return "missing";
  const json = JSON.stringify(value);
  return json.length > 40 ? `${json.slice(0, 40)}…` : json;
}

/** Tells a plain JSON object from everything else. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function readObject(from: JsonObject, field: string): JsonObject {
  const value = from[field];
  if (!isObject(value)) throw new FieldError(field, "an object", value);
  return value;
}

export function readString(from: JsonObject, field: string): string {
  const value = from[field];
  if (typeof value !== "string") throw new FieldError(field, "a string", value);
  return value;
}

export function readNumber(from: JsonObject, field: string): number {
  const value = from[field];
  if (typeof value !== "number") throw new FieldError(field, "a number", value);
  return value;
}

export function readCount(from: JsonObject, field: string): number {
  const value = from[field];
  if (!isCount(value)) throw new FieldError(field, "a whole number from 0", value);
  return value;
}

export function readOneOf<const Value extends string>(
  from: JsonObject,
  field: string,
  values: readonly Value[],
): Value {
  const value = values.find((each) => each === from[field]);
  if (value === undefined) throw new FieldError(field, `one of ${values.join(", ")}`, from[field]);
  return value;
}

export function readList<Item>(from: JsonObject, field: string, read: (item: unknown) => Item | undefined): Item[] {
  const value = from[field];
  if (!Array.isArray(value)) throw new FieldError(field, "a list", value);
  return value.map((item, index) => {
    const read1 = read(item);
    if (read1 === undefined) throw new FieldError(`${field}[${index}]`, "an item of the list's kind", item);
    return read1;
  });
}

/** Reads an item that must be a string, for {@link readList}. */
export function asString(item: unknown): string | undefined {
  return typeof item === "string" ? item : undefined;
}

/** Reads an item that must be a `[name, value]` pair, for {@link readList}. */
export function asHeader(item: unknown): Header | undefined {
  if (!Array.isArray(item) || item.length !== 2) return undefined;
  const [name, value] = item;
  return typeof name === "string" && typeof value === "string" ? [name, value] : undefined;
}

/** Reads an item that must be a `[ms, bytes]` pair, for {@link readList}. */
export function asChunk(item: unknown): [number, number] | undefined {
  if (!Array.isArray(item) || item.length !== 2) return undefined;
  const [atMs, bytes] = item;
  return typeof atMs === "number" && isCount(bytes) ? [atMs, bytes] : undefined;
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

/** The fields that nobody here reads, or `undefined` when there are none. */
export function unknownFields(from: JsonObject, known: ReadonlySet<string>): JsonObject | undefined {
  // Almost always there are none, and this runs for every message of a replay.
  if (Object.keys(from).every((field) => known.has(field))) return undefined;
  return Object.fromEntries(Object.entries(from).filter(([field]) => !known.has(field)));
}
