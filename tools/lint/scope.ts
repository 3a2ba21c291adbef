/**
 * Which identifiers are global: the little of name resolution that a rule about globals needs.
 *
 * @module
 */
type Node = Deno.lint.Node | Deno.lint.TSParameterProperty;

/** Nodes that begin with `TS` and yet hold an expression that runs. */
const runsInType: ReadonlySet<string> = new Set([
  "TSAsExpression",
  "TSNonNullExpression",
  "TSSatisfiesExpression",
  "TSTypeAssertion",
  "TSInstantiationExpression",
  "TSEnumMember",
]);

/** Nodes in which an identifier outside brackets names a member. */
const membered: ReadonlySet<string> = new Set([
  "Property",
  "MethodDefinition",
  "PropertyDefinition",
  "AccessorProperty",
]);

/**
 * Tells whether an identifier stands for a value at run time, not for a member, a type or a label.
 *
 * @param identifier The identifier.
 * @returns True for a reference, and for a declaration too, which `isBound` then finds.
 */
export function isReference(identifier: Deno.lint.Identifier): boolean {
  const { parent } = identifier;
  if (parent.type.startsWith("TS")) return runsInType.has(parent.type);
  if (parent.type === "MemberExpression") return parent.computed || parent.object === identifier;
  if (membered.has(parent.type)) return isMemberValue(parent, identifier);
  return !/^(Import|Export|Labeled|Break|Continue|MetaProperty)/.test(parent.type) ||
    parent.type === "ImportExpression";
}

/**
 * Tells whether some enclosing scope declares the identifier's name.
 *
 * Two declarations are not seen, and their names are called global: a `var` outside its own block, since hoisting is
 * not followed; and what follows a hole in `const [, name] = …`, since Deno 2.9.6 gives that pattern no elements.
 *
 * @param identifier The identifier.
 * @returns True when the name is the file's own.
 */
export function isBound(identifier: Deno.lint.Identifier): boolean {
  for (let node: Node | undefined = identifier.parent; node; node = parentOf(node)) {
    if (declared(node).includes(identifier.name)) return true;
  }
  return false;
}

function isMemberValue(parent: Node, identifier: Node): boolean {
  if (!("key" in parent) || !("computed" in parent) || !("value" in parent)) return true;
  return parent.value === identifier || (parent.computed && parent.key === identifier);
}

/**
 * Finds what a node stands in.
 *
 * @param node Any node.
 * @returns Its parent; `undefined` for the whole file and for comments.
 */
export function parentOf(node: Node): Node | undefined {
  return node.type !== "Program" && "parent" in node ? node.parent : undefined;
}

/** The names that a node declares for what stands inside it. */
function declared(node: Node): string[] {
  switch (node.type) {
    case "Program":
    case "BlockStatement":
      return node.body.flatMap((statement) => ofStatement(statement));
    case "ClassExpression":
      return ofPattern(node.id);
    case "CatchClause":
      return ofPattern(node.param);
    default:
      return [...ofFunction(node), ...ofLoop(node)];
  }
}

function ofFunction(node: Node): string[] {
  switch (node.type) {
    case "FunctionDeclaration":
    case "FunctionExpression":
      return [...ofPattern(node.id), ...node.params.flatMap((param) => ofPattern(param))];
    case "ArrowFunctionExpression":
      return node.params.flatMap((param) => ofPattern(param));
    default:
      return [];
  }
}

function ofLoop(node: Node): string[] {
  switch (node.type) {
    case "ForStatement":
      return node.init ? ofStatement(node.init) : [];
    case "ForInStatement":
    case "ForOfStatement":
      return ofStatement(node.left);
    default:
      return [];
  }
}

function ofStatement(node: Node): string[] {
  switch (node.type) {
    case "VariableDeclaration":
      return node.declarations.flatMap((one) => ofPattern(one.id));
    case "FunctionDeclaration":
    case "ClassDeclaration":
      return ofPattern(node.id);
    case "ImportDeclaration":
      return node.specifiers.map((specifier) => specifier.local.name);
    case "ExportNamedDeclaration":
      return node.declaration ? ofStatement(node.declaration) : [];
    default:
      return [];
  }
}

function ofPattern(node: Node | null | undefined): string[] {
  switch (node?.type) {
    case "Identifier":
      return [node.name];
    case "ObjectPattern":
      return node.properties.flatMap((one) => ofPattern(one.type === "Property" ? one.value : one));
    case "ArrayPattern":
      return node.elements.flatMap((one) => ofPattern(one));
    case "AssignmentPattern":
      return ofPattern(node.left);
    case "RestElement":
      return ofPattern(node.argument);
    case "TSParameterProperty":
      return ofPattern(node.parameter);
    default:
      return [];
  }
}
