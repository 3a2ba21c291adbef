/**
 * JSON pointers (RFC 6901) in which a star stands for any index or member.
 *
 * @module
 */

/** The reference tokens of a pointer, decoded; `*` matches any. */
export type JsonPointer = readonly string[];

/**
 * Reads a pointer.
 *
 * @param text In URI fragment form without percent-encoding: `#`, `#/a/*&#47;b`, with `~0` for `~` and `~1` for `/`.
 * @returns Its tokens.
 * @throws {TypeError} when it is none.
 */
export function parsePointer(text: string): JsonPointer {
  if (text === "#") return [];
  if (!text.startsWith("#/")) {
    throw new TypeError(`Cannot read JSON pointer "${text}": it must be "#" or begin with "#/"`);
  }
  const wrong = /~(?![01])/.exec(text);
  if (wrong !== null) {
    throw new TypeError(`Cannot read JSON pointer "${text}": "~" must be written "~0"`);
  }
  return text.slice(2).split("/").map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/**
 * Removes what a pointer names.
 *
 * @param value A value as `JSON.parse` makes it; changed in place.
 * @param pointer What to remove: a member goes, an element becomes `null` so that those behind it keep their index.
 * @returns The value, or `null` when the pointer names the whole.
 */
export function dropPointer(value: unknown, pointer: JsonPointer): unknown {
  const [token, ...rest] = pointer;
  if (token === undefined) return null;
  if (typeof value !== "object" || value === null) return value;
  const container: Record<string, unknown> | unknown[] = Array.isArray(value) ? value : toRecord(value);
  for (const name of token === "*" ? Object.keys(value) : [token]) {
    if (Object.hasOwn(value, name)) dropFrom(container, name, rest);
  }
  return value;
}

function dropFrom(container: Record<string, unknown> | unknown[], name: string, rest: JsonPointer): void {
  if (Array.isArray(container)) {
    const index = Number(name);
    if (Number.isInteger(index)) container[index] = dropPointer(container[index], rest);
  } else if (rest.length === 0) delete container[name];
  else dropPointer(container[name], rest);
}

/**
 * Opens a parsed object for reading by name.
 *
 * @param value An object as `JSON.parse` makes it.
 * @returns The same object.
 */
export function toRecord(value: object): Record<string, unknown> {
  return value as Record<string, unknown>; // JSON.parse makes plain objects and arrays only
}
