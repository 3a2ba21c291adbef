/**
 * The house's laws that a linter can hold: `agrepl/layer-order`, `folder-door`, `purity` and `no-escape`.
 *
 * Takes the syntax tree of one file; gives findings, each a decision with its reason.
 * Never reads another file: a file's place is told from its path and this file's own.
 * Invariant: the verdict on a file does not depend on where the checkout stands.
 *
 * @module
 */
import { fileURLToPath } from "node:url";
import { folderDoor } from "./lint/folder_door.ts";
import { layerOrder } from "./lint/layer_order.ts";
import { noEscape } from "./lint/no_escape.ts";
import { purity } from "./lint/purity.ts";

/**
 * Makes the plugin for one checkout.
 *
 * @param root The checkout's folder, absolute.
 * @returns The plugin.
 */
export function pluginFor(root: string): Deno.lint.Plugin {
  return {
    name: "agrepl",
    rules: {
      "layer-order": layerOrder(root),
      "folder-door": folderDoor(root),
      "purity": purity(root),
      "no-escape": noEscape(root),
    },
  };
}

/** Deno takes a lint plugin as a module's default export; this is why there is one here. */
export default pluginFor(fileURLToPath(new URL("..", import.meta.url)));
