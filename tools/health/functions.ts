/**
 * The functions of a file with their lengths and branches.
 *
 * @module
 */
import ts from "typescript";
import { cyclomatic, isMeasured, type MeasurableFunction, nesting } from "./branches.ts";
import { lineOf, walk } from "./sources.ts";

/** One function's figures. */
export interface FunctionFigures {
  readonly path: string;
  /** Where it begins, from 1. */
  readonly line: number;
  /** `name`, `Class.method`, or `(anonymous)`. */
  readonly name: string;
  /** From its signature's first line to its last, doc comment left out. */
  readonly lines: number;
  readonly cyclomatic: number;
  readonly nesting: number;
}

/**
 * Measures every function of a file.
 *
 * @param file The tree.
 * @returns The figures, in the order of the source; a nested function follows the one around it.
 */
export function functionsOf(file: ts.SourceFile): FunctionFigures[] {
  const found: FunctionFigures[] = [];
  walk(file, (node) => {
    if (isMeasured(node)) found.push(figuresOf(file, node));
  });
  return found;
}

function figuresOf(file: ts.SourceFile, node: MeasurableFunction): FunctionFigures {
  const line = lineOf(file, node);
  const last = file.getLineAndCharacterOfPosition(node.end).line + 1;
  return {
    path: file.fileName,
    line,
    name: nameOf(node),
    lines: last - line + 1,
    cyclomatic: cyclomatic(node),
    nesting: nesting(node),
  };
}

function nameOf(node: MeasurableFunction): string {
  const named = node.name || ts.isConstructorDeclaration(node) ? node : node.parent;
  const owner = ts.isClassLike(named.parent) ? `${named.parent.name?.text ?? "(class)"}.` : "";
  if (ts.isConstructorDeclaration(node)) return `${owner}constructor`;
  const name = node.name ?? ts.getNameOfDeclaration(named as ts.Declaration);
  return owner + (name?.getText() ?? "(anonymous)");
}
