/**
 * The files that health is measured over: product code without its tests.
 *
 * @module
 */
import { join } from "node:path";
import ts from "typescript";

/** One file of product code. */
export interface Source {
  /** Relative to the checkout, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

/** A place in a source, and how much of the measured thing is there. */
export interface Finding {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** The function, symbol or construct. */
  readonly name: string;
  readonly amount: number;
}

/**
 * Reads lib, mod.ts and cli.ts.
 *
 * @param root The checkout's folder.
 * @returns The sources, sorted by path; an entry that is not there yet is left out.
 */
export async function readProduct(root: string): Promise<Source[]> {
  const paths = [...await filesUnder(root, "lib"), ...await entries(root)].filter(isProductFile).sort();
  return Promise.all(paths.map(async (path) => ({ path, text: await Deno.readTextFile(join(root, path)) })));
}

/**
 * Tells product code from tests and data by the path.
 *
 * @param path Relative to the checkout.
 * @returns True for TypeScript that ships.
 */
export function isProductFile(path: string): boolean {
  return /\.tsx?$/.test(path) && !/_test\.tsx?$/.test(path) && !path.includes("/testdata/");
}

/**
 * Parses a source.
 *
 * @param source The source.
 * @returns Its tree, with parents set.
 */
export function parse(source: Source): ts.SourceFile {
  return ts.createSourceFile(source.path, source.text, ts.ScriptTarget.ESNext, true);
}

/**
 * Tells the line that a node begins on, its doc comment left out.
 *
 * @param file The tree that holds the node.
 * @param node The node.
 * @returns The line, from 1.
 */
export function lineOf(file: ts.SourceFile, node: ts.Node): number {
  return file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1;
}

/**
 * Visits a node and all that it holds, parents first.
 *
 * @param node Where to begin.
 * @param visit Called for each node; `false` leaves out what the node holds.
 */
export function walk(node: ts.Node, visit: (node: ts.Node) => boolean | void): void {
  if (visit(node) !== false) ts.forEachChild(node, (child) => walk(child, visit));
}

async function filesUnder(root: string, folder: string): Promise<string[]> {
  const found: string[] = [];
  for await (const entry of Deno.readDir(join(root, folder))) {
    const path = `${folder}/${entry.name}`;
    found.push(...entry.isDirectory ? await filesUnder(root, path) : [path]);
  }
  return found;
}

async function entries(root: string): Promise<string[]> {
  const found: string[] = [];
  for await (const entry of Deno.readDir(root)) {
    if (entry.name === "mod.ts" || entry.name === "cli.ts") found.push(entry.name);
  }
  return found;
}
