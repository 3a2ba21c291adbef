import { deepEqual, equal } from "node:assert/strict";
import { hasExecutedBlock, publicSymbols } from "./surface.ts";

const a = `
/** Says a thing.
 *
 * @example How
 * \`\`\`ts
 * f();
 * \`\`\`
 */
export function f(): void {}
/** Says another. */
export const g = () => 1;
export interface Bare { readonly b: number }
/** @internal */
export type Tagged = string;
/** Not reachable. */
export function hidden(): void {}
`;

const sources = [
  { path: "mod.ts", text: 'export * from "./lib/a/mod.ts"; export type { Bare as Renamed } from "./lib/a/a.ts";' },
  { path: "lib/a/mod.ts", text: 'export { f, g } from "./a.ts"; export type { Tagged } from "./a.ts";' },
  { path: "lib/a/a.ts", text: a },
];

Deno.test("publicSymbols() follows re-exports to what mod.ts gives, and no further", () => {
  const found = publicSymbols(sources).map((one) => `${one.name} ${one.path}:${one.line}`).sort();
  deepEqual(found, ["Renamed lib/a/a.ts:12", "Tagged lib/a/a.ts:14", "f lib/a/a.ts:9", "g lib/a/a.ts:11"]);
});

Deno.test("publicSymbols() counts words as documentation, and neither silence nor a lone tag", () => {
  const documented = publicSymbols(sources).filter((one) => one.documented).map((one) => one.name).sort();
  deepEqual(documented, ["f", "g"]);
});

Deno.test("publicSymbols() knows functions, arrows among them, and which have an example", () => {
  const functions = publicSymbols(sources).filter((one) => one.isFunction);
  deepEqual(functions.map((one) => [one.name, one.hasExample]).sort(), [["f", true], ["g", false]]);
});

Deno.test("publicSymbols() gives none when there is no such module", () => {
  deepEqual(publicSymbols([{ path: "lib/a/a.ts", text: a }]), []);
});

Deno.test("hasExecutedBlock() takes what deno test --doc executes, and nothing else", () => {
  const block = (fence: string) => ` * \`\`\`${fence}\n * f();\n * \`\`\`\n`;
  for (const fence of ["ts", "typescript", "js", 'ts title="x"']) equal(hasExecutedBlock(block(fence)), true, fence);
  for (const fence of ["", "sh", "ts ignore", "json"]) equal(hasExecutedBlock(block(fence)), false, fence);
});
