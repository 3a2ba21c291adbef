/**
 * The rule `purity`: the folders that know only values reach nothing of the world around them.
 *
 * @module
 */
import { literalText, visitImports } from "./imports.ts";
import { type Place, placeOf, pureFolders } from "./places.ts";
import { forbidden, forbiddenMembers, forbiddenModules, globalObjects, randomExports } from "./purity_tables.ts";
import { isBound, isReference, parentOf } from "./scope.ts";

type Node = Deno.lint.Node;

/** Something impure: how the source names it, and which part of the world it is. */
interface Finding {
  readonly name: string;
  readonly what: string;
}

/**
 * Makes the rule for one checkout.
 *
 * @param root The checkout's folder, absolute.
 * @returns The rule.
 */
export function purity(root: string): Deno.lint.Rule {
  return {
    create(context) {
      const place = placeOf(root, context.filename);
      if (!pureFolders.includes(place.folder) || place.isTest) return {};
      const report = (node: Node, finding: Finding | undefined) => {
        if (finding) context.report({ node, message: explainImpure(place, finding) });
      };
      return {
        ...visitImports((specifier, node) => report(node, importFinding(specifier, node))),
        Identifier: (node) => report(node, identifierFinding(node)),
      };
    },
  };
}

function explainImpure(place: Place, { name, what }: Finding): string {
  return `Cannot use ${name} in lib/${place.folder}: it is ${what}, and a pure folder gets that as an argument or not at all`;
}

function importFinding(specifier: string, node: Node): Finding | undefined {
  const name = specifier.replace(/^node:/, "").replace(/\/.*/, "");
  const what = forbiddenModules.get(name);
  if (what !== undefined && isBuiltin(specifier, name)) return { name: specifier, what };
  if (name !== "crypto") return undefined;
  const random = takenNames(node).find((taken) => taken === "*" || randomExports.has(taken));
  return random === undefined ? undefined : { name: `${random} of ${specifier}`, what: "randomness" };
}

/** An npm package may share a built-in's name only behind a slash: `tty/x` is a package, `fs/promises` is not. */
function isBuiltin(specifier: string, name: string): boolean {
  return specifier.startsWith("node:") || specifier === name ||
    /^(fs|timers|dns|readline|inspector)\/promises$/.test(specifier);
}

/** The exports that an import takes; `*` for all of them. */
function takenNames(node: Node): string[] {
  if (node.type === "ImportDeclaration") {
    return node.specifiers.map((one) => one.type === "ImportSpecifier" ? nameText(one.imported) : "*");
  }
  if (node.type === "ExportNamedDeclaration") return node.specifiers.map((one) => nameText(one.local));
  return node.type === "TSImportType" ? [] : ["*"];
}

function nameText(node: Deno.lint.Identifier | Deno.lint.StringLiteral): string {
  return node.type === "Identifier" ? node.name : node.value;
}

function identifierFinding(node: Deno.lint.Identifier): Finding | undefined {
  if (!isInteresting(node.name) || isBound(node)) return undefined;
  if (isReference(node)) return globalFinding(node.name, node);
  const inType = node.name === "Deno" && node.parent.type === "TSQualifiedName" && node.parent.left === node;
  return inType ? { name: "a type of Deno", what: "the runtime" } : undefined;
}

function isInteresting(name: string): boolean {
  return forbidden.has(name) || globalObjects.has(name) || Object.hasOwn(forbiddenMembers, name);
}

/** `node` is the expression that yields the global `name`: the identifier itself, or `globalThis.name`. */
function globalFinding(name: string, node: Node): Finding | undefined {
  const what = forbidden.get(name);
  if (what !== undefined) return { name, what };
  if (isHarmless(name, node)) return undefined;
  const members = membersUsed(node);
  if (members === undefined) return wholeFinding(name);
  if (!globalObjects.has(name)) return memberFinding(name, members);
  const parent = parentOf(node);
  const [member = ""] = members;
  if (parent?.type === "MemberExpression") return isInteresting(member) ? globalFinding(member, parent) : undefined;
  const taken = members.find((one) => isInteresting(one));
  return taken === undefined ? undefined : wholeFinding(taken);
}

/** A global that is passed on: what will be done with it cannot be seen from here. */
function wholeFinding(name: string): Finding {
  const what = forbidden.get(name);
  if (what !== undefined) return { name, what };
  const [member = "fetch", part = "everything"] = [...(forbiddenMembers[name] ?? [])][0] ?? [];
  return { name: `${name} as a whole`, what: `a way to ${part} by ${name}.${member}` };
}

function memberFinding(name: string, members: readonly string[]): Finding | undefined {
  const table = forbiddenMembers[name];
  for (const member of members) {
    const what = table?.get(member);
    if (what !== undefined) return { name: `${name}.${member}`, what };
  }
  return undefined;
}

/** The members taken from a value where it stands; `undefined` when the source does not say which. */
function membersUsed(node: Node): string[] | undefined {
  const parent = parentOf(node);
  if (parent?.type === "MemberExpression" && parent.object === node) {
    const name = memberName(parent.property, parent.computed);
    return name === undefined ? undefined : [name];
  }
  if (parent?.type !== "VariableDeclarator" || parent.init !== node) return undefined;
  return parent.id.type === "ObjectPattern" ? patternKeys(parent.id) : undefined;
}

function patternKeys(pattern: Deno.lint.ObjectPattern): string[] | undefined {
  const names: string[] = [];
  for (const one of pattern.properties) {
    const name = one.type === "Property" ? memberName(one.key, one.computed) : undefined;
    if (name === undefined) return undefined;
    names.push(name);
  }
  return names;
}

function memberName(node: Node, computed: boolean): string | undefined {
  return node.type === "Identifier" && !computed ? node.name : literalText(node);
}

/** `x instanceof Date` asks nothing of the world; `new Date(x)` reads no clock, `new Date()` does. */
function isHarmless(name: string, node: Node): boolean {
  const parent = parentOf(node);
  if (parent?.type === "BinaryExpression") return parent.operator === "instanceof" && parent.right === node;
  if (name !== "Date" || parent?.type !== "NewExpression" || parent.callee !== node) return false;
  const [first] = parent.arguments;
  return first !== undefined && first.type !== "SpreadElement";
}
