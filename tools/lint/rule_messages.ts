/**
 * What the tests of the rules share: one rule, one small source, the messages it gives.
 *
 * @module
 */

/** A checkout that exists nowhere; its own path holds the names that the rules look for. */
export const root = "/home/lib/step/agrepl";

/** Runs one rule over a source that is said to stand at `path` in the checkout. */
export function messages(rule: (root: string) => Deno.lint.Rule, path: string, source: string): string[] {
  const plugin: Deno.lint.Plugin = { name: "agrepl", rules: { rule: rule(root) } };
  return Deno.lint.runPlugin(plugin, `${root}/${path}`, source).map((finding) => finding.message);
}
