/**
 * Where a secret may begin: one regular expression finds every place worth a closer look.
 *
 * @module
 */
import { readAssignment } from "./assignment.ts";
import { type FieldPlace, readField } from "./field.ts";
import { readJwt } from "./jwt.ts";
import { readMember } from "./member.ts";
import { lastWords } from "./names.ts";
import { readPart } from "./part.ts";
import { placeholderStart, readPlaceholder } from "./placeholder.ts";
import { shapeRules } from "./shape_rules.ts";
import { readShape } from "./shape.ts";
import type { Found, Window } from "./span.ts";
import { readUserinfo } from "./userinfo.ts";

/** What kind of text is searched. */
export interface Scope {
  readonly field: FieldPlace;
  /** Find the anchors, each those of a kind; global. Where two begin at one place the earlier pattern's counts. */
  readonly patterns: readonly RegExp[];
  /** True for loose text, which is searched whole, never in chunks. */
  readonly loose: boolean;
  /** Of multipart/form-data. */
  readonly boundary: string | null;
}

/** A place worth a closer look. */
export interface Anchor {
  readonly start: number;
  readonly text: string;
  /** The last word of a key-like name, when it is one. */
  readonly word: string | undefined;
}

/** Where a search that ran into its limit may be taken up again, by what was searched for; offsets in the window. */
export interface Skips {
  jwt: number;
  shape: number;
  field: number;
  assignment: number;
}

const names = lastWords().join("|");
const escaped = (prefix: string) => prefix.replace(/[.\\/]/g, "\\$&");
const member = '\\\\{0,15}"[ \\t\\r\\n]{0,32}:';
const field = "(?:\\]|%5D){0,4}=";

const paths = shapeRules.filter(({ keepPrefix }) => keepPrefix).map(({ prefix }) => escaped(prefix));
const keys = shapeRules.filter(({ keepPrefix }) => !keepPrefix).map(({ prefix }) => escaped(prefix));
const marks = new RegExp(`${placeholderStart}|eyJ[\\w-]`, "gi");
const others = new RegExp([placeholderStart, "eyJ[\\w-]", ":(?:\\\\?/){2}", ...paths].join("|"), "gi");
const shapes = new RegExp(keys.join("|"), "g");

/**
 * Anchors by the kind of text; `marks` finds only what was redacted before. Each list is searched side by side: one
 * pattern for all takes half as long again, since what each begins with differs.
 */
export const anchorPatterns = {
  body: [named(`${member}|${field}`), others, shapes],
  multipart: [named(`${member}|${field}|\\]{0,4}"[\\r\\n;]`), others, shapes],
  loose: [named("(?=[\\\\\"' \\t:=%\\]])"), others, shapes],
  marks: [marks],
} as const;

function named(behind: string): RegExp {
  return new RegExp(`(${names})(?:${behind})`, "gi");
}

/** What a closer look needs to know besides the text. */
export interface AnchorContext {
  readonly scope: Scope;
  /** Read and advanced. */
  readonly skips: Skips;
  /** Where the text as a whole begins, as an offset in the window; below 0 when that is gone. */
  readonly origin: number;
}

/**
 * Looks closer at an anchor.
 *
 * @param window The text.
 * @param anchor A hit of the scope's pattern.
 * @param context What kind of text it is, where it began, and what need not be searched again.
 * @returns The secrets that begin there, or that nothing does, or that more text is needed.
 */
export function readAnchor(window: Window, anchor: Anchor, context: AnchorContext): Found {
  const { start, text } = anchor;
  if (anchor.word !== undefined) return readNamed(window, start + anchor.word.length, context);
  if (text.startsWith("eyJ")) return unlessSkipped(context, ["jwt", start], () => readJwt(window, start));
  if (text.startsWith(":")) return readUserinfo(window, start, start + text.length);
  if (text.startsWith("[") || text.startsWith("%")) return readMark(window, start);
  return unlessSkipped(context, ["shape", start], () => readShape(window, start, text));
}

function readNamed(window: Window, nameEnd: number, context: AnchorContext): Found {
  const { scope, origin } = context;
  const isStart = (at: number) => at === origin;
  const found = readMember(window, nameEnd) ??
    unlessSkipped(context, ["field", nameEnd], () => readField(window, nameEnd, { ...scope.field, isStart })) ??
    (scope.boundary === null ? null : readPart(window, nameEnd, scope.boundary));
  if (found !== null || !scope.loose) return found;
  return unlessSkipped(context, ["assignment", nameEnd], () => readAssignment(window, nameEnd));
}

function readMark(window: Window, start: number): Found {
  const end = readPlaceholder(window, start);
  if (end === null || end === "pending") return end;
  return [{ start, end, kind: "placeholder", plain: "", learn: false }];
}

/** Keeps a search with a limit from running over the same characters again: hostile bodies would make it quadratic. */
function unlessSkipped(
  { skips }: AnchorContext,
  [kind, at]: readonly [keyof Skips, number],
  read: () => Found | number,
): Found {
  if (at < skips[kind]) return null;
  const found = read();
  if (typeof found !== "number") return found;
  skips[kind] = found;
  return null;
}
