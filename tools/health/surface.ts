/**
 * The public surface: what `mod.ts` exports, and how it is documented.
 *
 * @module
 */
import ts from "typescript";
import { lineOf, type Source } from "./sources.ts";

/** One public symbol. */
export interface PublicSymbol {
  readonly path: string;
  /** Where it is declared, from 1. */
  readonly line: number;
  readonly name: string;
  readonly isFunction: boolean;
  /** Whether a doc comment says something in words. */
  readonly documented: boolean;
  /** Whether a doc comment holds a block that `deno test --doc` executes. */
  readonly hasExample: boolean;
}

const options: ts.CompilerOptions = {
  allowImportingTsExtensions: true,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  noEmit: true,
  noLib: true,
  target: ts.ScriptTarget.ESNext,
  types: [],
};

/**
 * Lists the symbols that a module exports, re-exports followed to their declarations.
 *
 * @param sources Every file that the module may reach.
 * @param entry The module's path among them.
 * @returns The symbols by name; none when there is no such module.
 */
export function publicSymbols(sources: readonly Source[], entry = "mod.ts"): PublicSymbol[] {
  const program = ts.createProgram([entry], options, hostOf(sources));
  const checker = program.getTypeChecker();
  const file = program.getSourceFile(entry);
  const module = file && checker.getSymbolAtLocation(file);
  const symbols = module ? checker.getExportsOfModule(module) : [];
  return symbols.map((symbol) => describe(symbol.name, resolved(checker, symbol)));
}

function resolved(checker: ts.TypeChecker, symbol: ts.Symbol): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

function describe(name: string, symbol: ts.Symbol): PublicSymbol {
  const declarations = symbol.declarations ?? [];
  const docs = declarations.flatMap((one) => ts.getJSDocCommentsAndTags(one)).filter((one) => ts.isJSDoc(one));
  const [first] = declarations;
  const file = first?.getSourceFile();
  return {
    path: file?.fileName ?? "(unresolved)",
    line: file && first ? lineOf(file, first) : 0,
    name,
    isFunction: declarations.some((one) => isFunction(one)),
    documented: docs.some((doc) => (ts.getTextOfJSDocComment(doc.comment) ?? "").trim() !== ""),
    hasExample: docs.some((doc) => hasExecutedBlock(doc.getText())),
  };
}

function isFunction(declaration: ts.Declaration): boolean {
  if (ts.isFunctionDeclaration(declaration)) return true;
  const value = ts.isVariableDeclaration(declaration) ? declaration.initializer : undefined;
  return value !== undefined && (ts.isArrowFunction(value) || ts.isFunctionExpression(value));
}

/**
 * Tells whether a doc comment holds a block that `deno test --doc` executes.
 *
 * @param comment The comment, asterisks and all.
 * @returns False for a block in another language, and for one marked `ignore`.
 */
export function hasExecutedBlock(comment: string): boolean {
  const opened = comment.matchAll(/^[\s*/]*```(\S+)([^\n]*)$/gm);
  return [...opened].some(([, language = "", rest = ""]) => isExecutable(language) && !/\bignore\b/.test(rest));
}

function isExecutable(language: string): boolean {
  return /^(ts|mts|cts|typescript|tsx|js|mjs|cjs|javascript|jsx)$/.test(language);
}

function hostOf(sources: readonly Source[]): ts.CompilerHost {
  const texts = new Map(sources.map((source) => [source.path, source.text]));
  return {
    fileExists: (path) => texts.has(path),
    readFile: (path) => texts.get(path),
    getSourceFile: (path, version) => {
      const text = texts.get(path);
      return text === undefined ? undefined : ts.createSourceFile(path, text, version, true);
    },
    getDefaultLibFileName: () => "lib.d.ts",
    getCurrentDirectory: () => "",
    getCanonicalFileName: (path) => path,
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => "\n",
    writeFile: () => {},
  };
}
