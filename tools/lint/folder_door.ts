/**
 * The rule `folder-door`: a folder of lib is entered by its `mod.ts`, and only from outside.
 *
 * @module
 */
import { notReexports, visitImports } from "./imports.ts";
import { type Place, placeOf, targetOf } from "./places.ts";

/**
 * Makes the rule for one checkout.
 *
 * @param root The checkout's folder, absolute.
 * @returns The rule.
 */
export function folderDoor(root: string): Deno.lint.Rule {
  return {
    create(context) {
      const from = placeOf(root, context.filename);
      return {
        ...visitImports((specifier, node) => {
          const to = targetOf(root, context.filename, specifier);
          const message = to && explainDoor(from, to);
          if (message) context.report({ node, message });
        }),
        Program(program) {
          if (!isDoor(from)) return;
          const message =
            `Cannot write code in ${from.path}: it is its folder's door, and only re-exports with \`export … from\``;
          for (const node of notReexports(program)) context.report({ node, message });
        },
      };
    },
  };
}

/**
 * Says why an import goes round a door.
 *
 * @param from The importing file.
 * @param to The imported file.
 * @returns The decision with its reason, or `undefined` when the import is legal.
 */
export function explainDoor(from: Place, to: Place): string | undefined {
  if (to.folder === "") return undefined;
  if (from.folder === to.folder) {
    return isDoor(to)
      ? cannot(from, to, "a door opens from outside; in its own folder it makes a cycle, so name the file")
      : undefined;
  }
  if (isDoor(to) || (from.area === "cli.ts" && to.folder === "cli")) return undefined;
  if (/(^|\/)_/.test(to.path)) return cannot(from, to, `a name that begins with _ is private to lib/${to.folder}`);
  return cannot(
    from,
    to,
    `the door of lib/${to.folder} is lib/${to.folder}/mod.ts, and what it does not export is its own affair`,
  );
}

function isDoor(place: Place): boolean {
  return place.folder !== "" && place.path === `lib/${place.folder}/mod.ts`;
}

function cannot(from: Place, to: Place, reason: string): string {
  return `Cannot import ${to.path} from ${from.path}: ${reason}`;
}
