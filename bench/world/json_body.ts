/** Reading what a client sent as JSON, without trusting its shape. */

/** An object of any members. */
export type Members = Readonly<Record<string, unknown>>;

/**
 * Takes a value as an object.
 *
 * @param value Anything.
 * @returns The value when it is an object, else one without members.
 */
export function membersOf(value: unknown): Members {
  return typeof value === "object" && value !== null ? value as Members : {};
}

/**
 * Takes a value as a list of objects.
 *
 * @param value Anything.
 * @returns Its items when it is an array, else none.
 */
export function itemsOf(value: unknown): readonly Members[] {
  return Array.isArray(value) ? value.map(membersOf) : [];
}

/**
 * Parses JSON that may not be JSON.
 *
 * @param text Any text.
 * @returns The value, or `undefined`.
 */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
