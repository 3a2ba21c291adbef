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
  return nameOf(command[programIndex(command)]);
}

/**
 * Finds the word that names the program behind wrappers.
 *
 * @param command The command and its arguments.
 * @returns Its index, 0 where nothing stands behind a wrapper.
 */
export function programIndex(command: readonly string[]): number {
  let index = 0;
  while (wrappers.has(nameOf(command[index]))) {
    const behind = command.findIndex((word, at) => at > index && !/^(?:-|\d)|=/.test(word));
    if (behind === -1) break;
    index = behind;
  }
  return index;
}

function nameOf(word: string | undefined): string {
  return basename(word ?? "").replace(/\.(?:exe|cmd|bat|sh)$/, "");
}
