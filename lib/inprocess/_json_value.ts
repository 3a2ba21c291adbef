/**
 * Writes a value as JSON.
 *
 * @param value `undefined` gives the empty text.
 * @param what Names the value in the error.
 * @throws {TypeError} when the value would come back as another one.
 */
export function encodeJson(value: unknown, what: string): string {
  if (value === undefined) return "";
  const lost = findLost(value, "#", new Set());
  if (lost !== null) throw new TypeError(`Cannot record ${what}: ${lost}, expected what JSON can carry`);
  return JSON.stringify(value);
}

/** Reads what {@link encodeJson} wrote. */
export function decodeJson(text: string): unknown {
  return text === "" ? undefined : JSON.parse(text);
}

/** Tells whether JSON carries a value as it is. */
export function isJson(value: unknown): boolean {
  return value !== undefined && findLost(value, "#", new Set()) === null;
}

/** What JSON would lose, and where; `null` for nothing. A member that is `undefined` is as good as none. */
function findLost(value: unknown, at: string, around: ReadonlySet<unknown>): string | null {
  if (typeof value !== "object" || value === null) return lostScalar(value, at);
  if (around.has(value)) return `${at} holds itself`;
  if (!Array.isArray(value) && !isPlainObject(value)) {
    return `${at} is a ${value.constructor?.name ?? "strange object"}`;
  }
  const inside = new Set(around).add(value);
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined && !Array.isArray(value)) continue;
    const lost = findLost(member, `${at}/${name}`, inside);
    if (lost !== null) return lost;
  }
  return null;
}

function lostScalar(value: unknown, at: string): string | null {
  if (typeof value === "number") return Number.isFinite(value) ? null : `${at} is ${value}`;
  const carried = value === null || typeof value === "string" || typeof value === "boolean";
  return carried ? null : `${at} is a ${typeof value}`;
}

function isPlainObject(value: object): boolean {
  const prototype = Object.getPrototypeOf(value);
  return (prototype === null || prototype === Object.prototype) && !("toJSON" in value);
}
