/**
 * Every syntax that makes one module depend on another, as one visitor.
 *
 * @module
 */

/** Called for each import with its specifier and the node to report. */
export type ImportVisit = (specifier: string, node: Deno.lint.Node) => void;

/**
 * Visits imports, re-exports, dynamic imports and import types; type-only ones count like the others.
 *
 * @param visit Called once per import whose specifier is a literal.
 * @returns The visitor; a rule may spread it beside its own.
 */
export function visitImports(visit: ImportVisit): Deno.lint.LintVisitor {
  return {
    ImportDeclaration: (node) => visit(node.source.value, node),
    ExportAllDeclaration: (node) => visit(node.source.value, node),
    ExportNamedDeclaration: (node) => {
      if (node.source) visit(node.source.value, node);
    },
    ImportExpression: (node) => {
      const specifier = literalText(node.source);
      if (specifier !== undefined) visit(specifier, node);
    },
    TSImportType: (node) => {
      const specifier = node.argument.type === "TSLiteralType" ? literalText(node.argument.literal) : undefined;
      if (specifier !== undefined) visit(specifier, node);
    },
  };
}

/**
 * Reads a string literal.
 *
 * @param node Any node.
 * @returns Its text, or `undefined` when it is no string literal.
 */
export function literalText(node: Deno.lint.Node): string | undefined {
  return node.type === "Literal" && typeof node.value === "string" ? node.value : undefined;
}

/**
 * Finds the statements of a file that do something other than re-export.
 *
 * @param program The file.
 * @returns The statements, in order.
 */
export function notReexports(program: Deno.lint.Program): Deno.lint.Node[] {
  return program.body.filter((statement) => {
    if (statement.type === "ExportAllDeclaration") return false;
    return statement.type !== "ExportNamedDeclaration" || !statement.source;
  });
}
