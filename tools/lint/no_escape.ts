/**
 * The rule `no-escape`: product code has no way round its permissions, its types or its error classes.
 *
 * @module
 */
import { literalText, visitImports } from "./imports.ts";
import { isProduct, placeOf } from "./places.ts";

const dynamic =
  "Cannot import what no literal names: a module that is loaded after permissions were revoked may still be " +
  "fetched from the network";
const worker = "Cannot start a Worker: a remote worker is fetched from the network even after permissions were revoked";
const evaluated = "Cannot run text as code: it can import what no reader and no lint rule sees";
const byDefault = "Cannot export by default: the importer would choose the name, and one idea has one word";
const enumeration = "Cannot declare an enum: it is code with a type's looks; a union of strings says the same";
const plainError =
  "Cannot throw a plain Error: nobody can tell it from a bug; throw TypeError, RangeError or a class with a code";
const nonNull = "Cannot assert with `!` that a value is there: nothing checks it; narrow the type or return early";

/** Modules that would be a way out, whatever is taken from them. */
const waysOut: Readonly<Record<string, string>> = {
  cluster: "Cannot import node:cluster: it starts programs that inherit no revoked permission",
  module: "Cannot import node:module: its `require` loads what no literal names",
  vm: "Cannot import node:vm: it runs text as code, which no lint rule sees",
  worker_threads:
    "Cannot import node:worker_threads: a worker can be fetched from the network after permissions were revoked",
};

/**
 * Makes the rule for one checkout.
 *
 * @param root The checkout's folder, absolute.
 * @returns The rule.
 */
export function noEscape(root: string): Deno.lint.Rule {
  return {
    create(context) {
      const place = placeOf(root, context.filename);
      // A .d.ts file says what somebody else wrote; nothing in it runs.
      if (!isProduct(place) || place.path.endsWith(".d.ts")) return {};
      const report = (node: Deno.lint.Node, message: string) => context.report({ node, message });
      return { ...loading(report), ...shapes(report), ...(place.isTest ? {} : throwing(report)) };
    },
  };
}

type Report = (node: Deno.lint.Node, message: string) => void;

function loading(report: Report): Deno.lint.LintVisitor {
  const imports = visitImports((specifier, node) => {
    const message = waysOut[specifier.replace(/^node:/, "")];
    if (message !== undefined) report(node, message);
  });
  return {
    ...imports,
    ImportExpression(node) {
      if (literalText(node.source) === undefined) report(node, dynamic);
      else imports.ImportExpression?.(node);
    },
    ExportNamedDeclaration(node) {
      imports.ExportNamedDeclaration?.(node);
      for (const specifier of node.specifiers) {
        if (exportedName(specifier) === "default") report(specifier, byDefault);
      }
    },
    NewExpression(node) {
      const name = lastName(node.callee);
      if (name === "Worker") report(node, worker);
      if (name === "Function") report(node, evaluated);
    },
    CallExpression(node) {
      if (node.callee.type !== "Identifier") return;
      if (node.callee.name === "eval" || node.callee.name === "Function") report(node, evaluated);
    },
  };
}

function shapes(report: Report): Deno.lint.LintVisitor {
  return {
    ExportDefaultDeclaration: (node) => report(node, byDefault),
    TSEnumDeclaration: (node) => report(node, enumeration),
    TSNonNullExpression: (node) => report(node, nonNull),
  };
}

/** Not for tests: there a plain Error stands for the failure of somebody else's code. */
function throwing(report: Report): Deno.lint.LintVisitor {
  return {
    ThrowStatement(node) {
      const { argument } = node;
      const made = argument.type === "NewExpression" || argument.type === "CallExpression";
      if (made && lastName(argument.callee) === "Error") report(node, plainError);
    },
  };
}

function exportedName(specifier: Deno.lint.ExportSpecifier): string {
  return specifier.exported.type === "Identifier" ? specifier.exported.name : specifier.exported.value;
}

/** The name that a call ends in: `Worker` of both `Worker` and `globalThis.Worker`. */
function lastName(callee: Deno.lint.Node): string | undefined {
  if (callee.type === "Identifier") return callee.name;
  if (callee.type !== "MemberExpression") return undefined;
  return callee.property.type === "Identifier" && !callee.computed
    ? callee.property.name
    : literalText(callee.property);
}
