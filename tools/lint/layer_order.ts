/**
 * The rule `layer-order`: imports point one way.
 *
 * @module
 */
import { notReexports, visitImports } from "./imports.ts";
import { order, type Place, placeOf, rankOf, targetOf } from "./places.ts";

/** The order as it is written on the design's page. */
const orderText = order.map((group) => group.length > 1 ? `{${group.join(", ")}}` : group.join("")).join(" < ");

/** What product code may read beside lib: data that ships with the package. */
const shippedData: readonly string[] = ["schema", "deno.json"];

/** What tests and benchmarks share. An example stands alone, since a reader copies it; its test need not. */
const support: readonly string[] = ["tests", "bench", "examples"];

/**
 * Makes the rule for one checkout.
 *
 * @param root The checkout's folder, absolute.
 * @returns The rule.
 */
export function layerOrder(root: string): Deno.lint.Rule {
  return {
    create(context) {
      const from = placeOf(root, context.filename);
      if (from.area === "..") return {};
      return {
        ...visitImports((specifier, node) => {
          const to = targetOf(root, context.filename, specifier);
          const message = to && explainLayer(from, to);
          if (message) context.report({ node, message });
        }),
        Program(program) {
          if (from.area !== "mod.ts") return;
          const message =
            "Cannot write code in mod.ts: it is the package's face, and only re-exports with `export … from`";
          for (const node of notReexports(program)) context.report({ node, message });
        },
      };
    },
  };
}

/**
 * Says why an import breaks the order.
 *
 * @param from The importing file.
 * @param to The imported file.
 * @returns The decision with its reason, or `undefined` when the import is legal.
 */
export function explainLayer(from: Place, to: Place): string | undefined {
  if (to.area === "..") return cannot(from, to, "it lies outside the checkout, where nobody else has it");
  if (from.area === "lib") return explainFromLib(from, to);
  if (from.area === "mod.ts") {
    return to.area === "lib" ? undefined : cannot(from, to, "mod.ts re-exports the doors of lib and nothing else");
  }
  if (from.area === "cli.ts") {
    return to.folder === "cli" ? undefined : cannot(from, to, "cli.ts starts lib/cli and knows nothing else");
  }
  return explainFromOutside(from, to);
}

function explainFromLib(from: Place, to: Place): string | undefined {
  if (rankOf(from.folder) < 0) return `Cannot place ${from.path}: the order ${orderText} has no such folder`;
  if (to.area === "lib") return explainWithinLib(from, to);
  if (shippedData.includes(to.area)) return undefined;
  if (from.isTest && to.area === "tests") return undefined;
  const reason = from.isTest
    ? "a test beside the source may reach lib and tests/ only"
    : "lib ships alone, and knows nothing of what is built around it";
  return cannot(from, to, reason);
}

function explainWithinLib(from: Place, to: Place): string | undefined {
  if (from.folder === to.folder) return undefined;
  const [left, right] = [rankOf(to.folder), rankOf(from.folder)];
  if (left < 0) return cannot(from, to, `the order ${orderText} has no such folder`);
  if (left < right) return undefined;
  if (left > right) return cannot(from, to, `imports point left in ${orderText}`);
  return cannot(from, to, `${from.folder} and ${to.folder} are two doors into one engine, and neither knows the other`);
}

function explainFromOutside(from: Place, to: Place): string | undefined {
  const shares = from.isTest || from.area === "tests" || from.area === "bench";
  const allowed = new Set([from.area, "lib", "mod.ts", "cli.ts", ...shippedData, ...(shares ? support : [])]);
  if (allowed.has(to.area)) return undefined;
  return cannot(from, to, `it may import ${[...allowed].join(", ")}, and each area can be read without the others`);
}

function cannot(from: Place, to: Place, reason: string): string {
  return `Cannot import ${nameOf(to)} from ${nameOf(from)}: ${reason}`;
}

function nameOf(place: Place): string {
  return place.folder === "" ? place.path : `lib/${place.folder}`;
}
