/**
 * Where a source slips out of the compiler's or the linter's hands, and what it throws.
 *
 * @module
 */
import ts from "typescript";
import { type Finding, lineOf, walk } from "./sources.ts";

const suppression = /\/[/*]\s*(deno-lint-ignore(?:-file)?|@ts-(?:ignore|expect-error|nocheck))\b/g;

/**
 * Finds every `any`.
 *
 * @param file The tree.
 * @returns One finding each.
 */
export function anysOf(file: ts.SourceFile): Finding[] {
  return nodesWhere(file, "any", (node) => node.kind === ts.SyntaxKind.AnyKeyword);
}

/**
 * Finds every non-null assertion, `value!`.
 *
 * @param file The tree.
 * @returns One finding each.
 */
export function nonNullsOf(file: ts.SourceFile): Finding[] {
  return nodesWhere(file, "!", (node) => ts.isNonNullExpression(node));
}

/**
 * Finds every comment that silences the linter or the compiler.
 *
 * @param file The tree.
 * @returns One finding each, named after the comment's word.
 */
export function suppressionsOf(file: ts.SourceFile): Finding[] {
  return [...file.text.matchAll(suppression)].map((match) => {
    const line = file.getLineAndCharacterOfPosition(match.index).line + 1;
    return { path: file.fileName, line, name: match[1] ?? "", amount: 1 };
  });
}

/** What a file throws. */
export interface Throws {
  /** How many throw statements there are. */
  readonly count: number;
  /** Those that make a plain `Error`. */
  readonly plain: readonly Finding[];
}

/**
 * Finds throw statements, and among them those of a plain `Error`.
 *
 * @param file The tree.
 * @returns Their count and the plain ones.
 */
export function throwsOf(file: ts.SourceFile): Throws {
  const count = nodesWhere(file, "throw", (node) => ts.isThrowStatement(node)).length;
  return { count, plain: nodesWhere(file, "throw Error", throwsPlainError) };
}

function throwsPlainError(node: ts.Node): boolean {
  if (!ts.isThrowStatement(node)) return false;
  const made = node.expression;
  return (ts.isNewExpression(made) || ts.isCallExpression(made)) &&
    /^(globalThis\.)?Error$/.test(made.expression.getText());
}

function nodesWhere(file: ts.SourceFile, name: string, holds: (node: ts.Node) => boolean): Finding[] {
  const found: Finding[] = [];
  walk(file, (node) => {
    if (holds(node)) found.push({ path: file.fileName, line: lineOf(file, node), name, amount: 1 });
  });
  return found;
}
