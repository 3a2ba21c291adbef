import type { Chunk, Header } from "./step.ts";

/** A parsed JSON object whose fields nobody has checked yet. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** What is wrong with a field; the codec adds where the line stands. */
export class FieldError extends TypeError {
  readonly field: string;
  readonly expected: string;
  readonly found: unknown;

  constructor(field: string, expected: string, found: unknown) {
    super(`"${field}" is ${describe(found)}, expected ${expected}`);
    this.field = field;
    this.expected = expected;
    this.found = found;
  }
}

/** A version that only a newer agrepl can read. */
export class NewerVersionError extends RangeError {
  constructor(field: string, found: number, known: number, writer: string | null) {
    const wanted = writer === null ? "a newer agrepl" : `agrepl ${JSON.stringify(writer)} or later`;
    super(`"${field}" is ${found}, this agrepl reads up to ${known}: install ${wanted}`);
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

/** Reads an object's field with a reader of its own, whose errors then name the way to it: `request.url`. */
export function readWithin<Value>(from: JsonObject, field: string, decode: (inner: JsonObject) => Value): Value {
  const value = from[field];
  if (!isObject(value)) throw new FieldError(field, "an object", value);
  return within(field, () => decode(value));
}

/** Runs a reader, putting where it reads before the fields that its errors name. */
export function within<Value>(field: string, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof FieldError)) throw error;
    throw new FieldError(`${field}.${error.field}`, error.expected, error.found);
  }
}

export function readString(from: JsonObject, field: string): string {
  const value = from[field];
  if (typeof value !== "string") throw new FieldError(field, "a string", value);
  return value;
}

export function readNumber(from: JsonObject, field: string): number {
  const value = from[field];
  // JSON.parse gives Infinity for 1e999, and JSON.stringify would write it as null.
  if (typeof value !== "number" || !Number.isFinite(value)) throw new FieldError(field, "a number", value);
  return value;
}

export function readCount(from: JsonObject, field: string): number {
  const value = from[field];
  if (!isCount(value)) throw new FieldError(field, "a whole number from 0", value);
  return value;
}

export function readVersion(from: JsonObject, field: string, name: string = field): number {
  const value = from[field];
  if (!isCount(value) || value === 0) throw new FieldError(name, "a whole number from 1", value);
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

/** What a list holds. */
export interface ItemKind<Item> {
  /** For the error: "a string". */
  readonly expected: string;
  /** Gives `undefined` for what is no such item. */
  readonly read: (item: unknown) => Item | undefined;
}

export function readList<Item>(from: JsonObject, field: string, { expected, read }: ItemKind<Item>): Item[] {
  const value = from[field];
  if (!Array.isArray(value)) throw new FieldError(field, "a list", value);
  return value.map((item, index) => {
    const found = read(item);
    if (found === undefined) throw new FieldError(`${field}[${index}]`, expected, item);
    return found;
  });
}

export const stringItem: ItemKind<string> = {
  expected: "a string",
  read: (item) => typeof item === "string" ? item : undefined,
};

export const headerItem: ItemKind<Header> = {
  expected: "a pair of strings, name and value",
  read(item) {
    if (!Array.isArray(item) || item.length !== 2) return undefined;
    const [name, value] = item;
    return typeof name === "string" && typeof value === "string" ? [name, value] : undefined;
  },
};

export const chunkItem: ItemKind<Chunk> = {
  expected: "a pair of numbers, milliseconds and bytes",
  read(item) {
    if (!Array.isArray(item) || item.length !== 2) return undefined;
    const [atMs, bytes] = item;
    return Number.isFinite(atMs) && isCount(bytes) ? [atMs, bytes] : undefined;
  },
};

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

/** The fields that nobody here reads, in the form that a value carries them; empty when there are none. */
export function unknownPart(from: JsonObject, known: ReadonlySet<string>): { readonly unknown?: JsonObject } {
  // Almost always there are none, and this runs for every message of a replay.
  if (Object.keys(from).every((field) => known.has(field))) return {};
  return { unknown: Object.fromEntries(Object.entries(from).filter(([field]) => !known.has(field))) };
}
