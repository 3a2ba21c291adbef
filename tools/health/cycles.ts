/**
 * Import cycles, type-only imports included.
 *
 * @module
 */
import { posix } from "node:path";
import ts from "typescript";
import { type Finding, walk } from "./sources.ts";

type Graph = ReadonlyMap<string, readonly string[]>;

/**
 * Finds loops of imports, each the shortest through the first of its files that lies in no loop found before.
 *
 * @param files The trees; an import of anything else is left out.
 * @returns One finding per loop: its path as `a.ts -> b.ts -> a.ts`, its length as the amount.
 */
export function cyclesOf(files: readonly ts.SourceFile[]): Finding[] {
  const graph = graphOf(files);
  const inLoop = new Set<string>();
  const found: Finding[] = [];
  for (const path of graph.keys()) {
    const loop = inLoop.has(path) ? undefined : shortestLoop(graph, path);
    if (loop === undefined) continue;
    for (const member of loop) inLoop.add(member);
    found.push({ path, line: 1, name: [...loop, path].join(" -> "), amount: loop.length });
  }
  return found;
}

/**
 * Lists what a file imports, by every syntax that can.
 *
 * @param file The tree.
 * @returns The specifiers, in the order of the source.
 */
export function importsOf(file: ts.SourceFile): string[] {
  const found: string[] = [];
  walk(file, (node) => {
    const specifier = specifierOf(node);
    if (specifier && ts.isStringLiteralLike(specifier)) found.push(specifier.text);
  });
  return found;
}

function specifierOf(node: ts.Node): ts.Node | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node.moduleSpecifier;
  if (ts.isImportTypeNode(node)) return ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined;
  const isImport = ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword;
  return isImport ? node.arguments[0] : undefined;
}

function graphOf(files: readonly ts.SourceFile[]): Graph {
  const known = new Set(files.map((file) => file.fileName));
  const edges = (file: ts.SourceFile) =>
    importsOf(file)
      .map((specifier) => posix.join(posix.dirname(file.fileName), specifier))
      .filter((path) => known.has(path));
  return new Map(files.map((file) => [file.fileName, edges(file)]));
}

/** Breadth first from `start` back to it; the members in order, `start` first. */
function shortestLoop(graph: Graph, start: string): string[] | undefined {
  const queue: string[][] = [[start]];
  const seen = new Set<string>();
  for (let trail = queue.shift(); trail; trail = queue.shift()) {
    for (const next of graph.get(trail.at(-1) ?? start) ?? []) {
      if (next === start) return trail;
      if (seen.has(next)) continue;
      seen.add(next);
      queue.push([...trail, next]);
    }
  }
  return undefined;
}
