/**
 * How many ways lead through a function, and how deep they lie in one another.
 *
 * @module
 */
import ts from "typescript";
import { walk } from "./sources.ts";

const decisions: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.IfStatement,
  ts.SyntaxKind.ConditionalExpression,
  ts.SyntaxKind.ForStatement,
  ts.SyntaxKind.ForInStatement,
  ts.SyntaxKind.ForOfStatement,
  ts.SyntaxKind.WhileStatement,
  ts.SyntaxKind.DoStatement,
  ts.SyntaxKind.CaseClause,
  ts.SyntaxKind.CatchClause,
]);

const shortCircuits: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.AmpersandAmpersandToken,
  ts.SyntaxKind.BarBarToken,
  ts.SyntaxKind.QuestionQuestionToken,
  ts.SyntaxKind.AmpersandAmpersandEqualsToken,
  ts.SyntaxKind.BarBarEqualsToken,
  ts.SyntaxKind.QuestionQuestionEqualsToken,
]);

const nests: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.IfStatement,
  ts.SyntaxKind.ForStatement,
  ts.SyntaxKind.ForInStatement,
  ts.SyntaxKind.ForOfStatement,
  ts.SyntaxKind.WhileStatement,
  ts.SyntaxKind.DoStatement,
  ts.SyntaxKind.SwitchStatement,
  ts.SyntaxKind.TryStatement,
]);

/** A function that is measured by itself. */
export type MeasurableFunction = ts.FunctionLikeDeclaration & { readonly body: ts.ConciseBody };

/**
 * Tells whether a function counts by itself: it has a block, or it is an arrow with a name.
 *
 * An inline `(x) => x.name` is an expression of the function around it; counted by itself it would flatter every average.
 *
 * @param node Any node.
 * @returns True for a function with a line of its own in the table.
 */
export function isMeasured(node: ts.Node): node is MeasurableFunction {
  if (!ts.isFunctionLike(node) || !("body" in node) || node.body === undefined) return false;
  if (!ts.isArrowFunction(node) || ts.isBlock(node.body)) return true;
  const { parent } = node;
  return ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent) || ts.isPropertyDeclaration(parent);
}

/**
 * Counts the ways through a function: 1, and 1 for each branch, loop, case, catch and short circuit.
 *
 * @param measured The function; those in it that are measured by themselves do not count.
 * @returns The cyclomatic complexity, from 1.
 */
export function cyclomatic(measured: MeasurableFunction): number {
  let count = 1;
  walk(measured, (node) => {
    if (node !== measured && isMeasured(node)) return false;
    const decides = ts.isBinaryExpression(node) ? shortCircuits.has(node.operatorToken.kind) : decisions.has(node.kind);
    if (decides) count++;
  });
  return count;
}

/**
 * Tells how deep a function's statements lie in one another; `else if` goes no deeper than its `if`.
 *
 * @param measured The function; those in it that are measured by themselves do not count.
 * @returns 0 for a function without a branch or loop.
 */
export function nesting(measured: MeasurableFunction): number {
  return depthBelow(measured);
}

function depthBelow(node: ts.Node): number {
  let deepest = 0;
  ts.forEachChild(node, (child) => {
    if (isMeasured(child)) return;
    const own = nests.has(child.kind) && !isElseIf(child) ? 1 : 0;
    deepest = Math.max(deepest, own + depthBelow(child));
  });
  return deepest;
}

function isElseIf(node: ts.Node): boolean {
  return ts.isIfStatement(node) && ts.isIfStatement(node.parent) && node.parent.elseStatement === node;
}
