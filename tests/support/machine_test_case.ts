/** Tests that need a command of the machine: where it is missing they say so, and in CI they fail. */

import { delimiter, join } from "node:path";

/** What becomes of a test. */
export type Verdict =
  | { readonly kind: "run" }
  | { readonly kind: "ignore"; readonly reason: string }
  | { readonly kind: "fail"; readonly reason: string };

/**
 * Decides whether a test can run here.
 *
 * @param missing Commands that it needs and the machine lacks.
 * @param ci The value of the variable `CI`.
 */
export function judge(missing: readonly string[], ci: string | undefined): Verdict {
  if (missing.length === 0) return { kind: "run" };
  const reason = `there is no ${missing.map((name) => `"${name}"`).join(" and no ")} on PATH`;
  return { kind: ci === "true" ? "fail" : "ignore", reason };
}

/**
 * Registers a test that needs commands of the machine.
 *
 * @param needs Their names, as PATH knows them.
 * @param name The test's name; the reason is added where it is ignored.
 * @param fn The test.
 */
export function testWith(needs: readonly string[], name: string, fn: () => Promise<void>): void {
  const verdict = judge(needs.filter((command) => !isOnPath(command)), Deno.env.get("CI"));
  if (verdict.kind === "run") Deno.test(name, fn);
  else if (verdict.kind === "ignore") Deno.test({ name: `${name} (ignored: ${verdict.reason})`, ignore: true, fn });
  else Deno.test(name, () => Promise.reject(new Error(`Cannot test in CI: ${verdict.reason}`)));
}

function isOnPath(command: string): boolean {
  const folders = (Deno.env.get("PATH") ?? "").split(delimiter);
  return folders.some((folder) => isFile(join(folder, command)) || isFile(join(folder, `${command}.exe`)));
}

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false; // not there, or behind a folder that is closed to us: for us the same
  }
}
