/**
 * What the pages point to: relative links, and paths in backticks.
 *
 * Takes the text of Markdown pages and the names of the files that are there; gives the references that lead nowhere.
 * Never follows a link to the web.
 *
 * @module
 */
import { posix } from "node:path";

/** One page. */
export interface Page {
  /** Relative to the checkout: `docs/architecture.md`. */
  readonly path: string;
  readonly text: string;
}

/** One place where a page points to a file. */
export interface Reference {
  /** From 1. */
  readonly line: number;
  /** As the page writes it, without anchor. */
  readonly target: string;
  readonly kind: "link" | "path";
}

/**
 * Finds what a page points to within the checkout.
 *
 * A path in backticks counts when it has a slash and either begins with `./`, `../` or a name that stands at the
 * checkout's root, or ends in `.ts`; globs, placeholders in `<>` and the user's own `.agrepl/` do not.
 *
 * @param text The page; what stands in a fenced block is an example and points to nothing.
 * @param rootNames The names at the checkout's root: `lib`, `docs`.
 * @returns The references, in order.
 */
export function referencesOf(text: string, rootNames: readonly string[]): Reference[] {
  return withoutFences(text).split("\n").flatMap((line, index) => [
    ...linksOf(line).map((target) => ({ line: index + 1, target, kind: "link" as const })),
    ...pathsOf(line, rootNames).map((target) => ({ line: index + 1, target, kind: "path" as const })),
  ]);
}

/**
 * Finds the references that lead nowhere.
 *
 * @param pages The pages.
 * @param files Every file and folder of the checkout, relative to it, folders without a final slash.
 * @returns One sentence each, in order.
 */
export function explainBroken(pages: readonly Page[], files: ReadonlySet<string>): string[] {
  const rootNames = [...files].filter((name) => !name.includes("/"));
  return pages.flatMap((page) =>
    referencesOf(page.text, rootNames)
      .filter((reference) => !leadsSomewhere(page, reference, files))
      .map(({ line, target, kind }) =>
        `${page.path}:${line}: the ${kind} "${target}" points to nothing in the checkout`
      )
  );
}

/** A link is relative to its page; a path in backticks may be relative to the checkout as well. */
function leadsSomewhere(page: Page, { target, kind }: Reference, files: ReadonlySet<string>): boolean {
  const fromPage = cleaned(posix.join(posix.dirname(page.path), target));
  if (fromPage === "." || files.has(fromPage)) return true;
  return kind === "path" && files.has(cleaned(posix.normalize(target)));
}

function cleaned(path: string): string {
  return path.replace(/(.)\/$/, "$1");
}

/** Keeps the line count, so that lines can be named. */
function withoutFences(text: string): string {
  return text.replace(
    /^( *)(`{3,}|~{3,}).*\n[\s\S]*?(?:^ *\2[`~]* *$|(?![\s\S]))/gm,
    (block) => block.replace(/.*/g, ""),
  );
}

function linksOf(line: string): string[] {
  const prose = line.replace(/(`+).*?\1/g, (code) => " ".repeat(code.length));
  const inline = prose.matchAll(/\]\(\s*<?([^\s)>]+)>?(?:\s+"[^"]*")?\s*\)/g);
  const defined = prose.matchAll(/^ {0,3}\[[^\]]+\]:\s*<?([^\s>]+)>?/g);
  return [...inline, ...defined].map((match) => withoutAnchor(match[1] ?? "")).filter(isRelative);
}

function withoutAnchor(target: string): string {
  return decodeURI(target.replace(/[#?].*/, ""));
}

function isRelative(target: string): boolean {
  return target !== "" && !/^([a-z][a-z0-9+.-]*:|\/)/i.test(target);
}

function pathsOf(line: string, rootNames: readonly string[]): string[] {
  const spans = [...line.matchAll(/(`+)(.+?)\1/g)].map((match) => (match[2] ?? "").trim());
  return spans.map((span) => span.replace(/[:#](L?\d+).*$/, "")).filter((span) => isPath(span, rootNames));
}

function isPath(span: string, rootNames: readonly string[]): boolean {
  if (!/^[\w.@+/-]+$/.test(span) || !span.includes("/") || span.startsWith("/")) return false;
  const [first = ""] = span.split("/");
  if (first === ".agrepl") return false;
  return first === "." || first === ".." || rootNames.includes(first) || span.endsWith(".ts");
}
