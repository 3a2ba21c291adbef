/** The depth below which a value is compared as one text: deeper ones are attacks, and a stack is not endless. */
export const maxJsonDepth = 256;

/**
 * A JSON text as its leaves, by JSON pointer (RFC 6901); `null` when it is not a JSON object or array.
 *
 * @param limit How many leaves are taken at most.
 */
export function leavesOf(text: string, limit = Infinity): Map<string, string> | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null; // not JSON: compared as text
  }
  if (typeof value !== "object" || value === null) return null;
  const leaves = new Map<string, string>();
  const open: [string, unknown][] = [["", value]];
  for (let next = open.pop(); next !== undefined && leaves.size < limit; next = open.pop()) {
    const [pointer, node] = next;
    if (typeof node !== "object" || node === null || Object.keys(node).length === 0) {
      leaves.set(pointer, JSON.stringify(node));
      continue;
    }
    // Pushed last to first, so that leaves come in the order of the text.
    for (const [member, child] of Object.entries(node).reverse()) {
      open.push([`${pointer}/${escapeToken(member)}`, child]);
    }
  }
  return leaves;
}

/** A member's name as a pointer spells it (RFC 6901, 3). */
export function escapeToken(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** Tells whether a parsed value has more levels than are compared one by one. */
export function isTooDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxJsonDepth) return true;
    level = level.flatMap((each) => typeof each === "object" && each !== null ? Object.values(each) : []);
  }
  return false;
}
