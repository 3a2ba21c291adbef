/**
 * Which program a command really runs.
 *
 * @module
 */
import { basename } from "node:path";

/** Commands that only start another one, named behind their own options and assignments. */
const wrappers: ReadonlySet<string> = new Set(
  ["env", "exec", "nice", "nohup", "stdbuf", "sudo", "time", "timeout", "xvfb-run", "setsid", "ionice", "unbuffer"],
);

/**
 * Names the program behind wrappers such as `env X=1 node app.js` or `timeout 10 java -jar app.jar`.
 *
 * @param command The command and its arguments.
 * @returns The program's name, without its folder and its ending; empty for an empty command.
 */
export function programOf(command: readonly string[]): string {
  const names = command.map((word) => basename(word).replace(/\.(?:exe|cmd|bat|sh)$/, ""));
  if (!wrappers.has(names[0] ?? "")) return names[0] ?? "";
  const behind = command.findIndex((word, at) => at > 0 && !/^(?:-|\d)|=/.test(word));
  return behind === -1 ? names[0] ?? "" : programOf(command.slice(behind));
}
