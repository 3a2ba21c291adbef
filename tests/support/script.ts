/**
 * Scripts of a command line: what is typed, and what comes of it, as one reads it off a terminal.
 *
 *     # What the script holds, in one sentence.
 *     $ agrepl inspect nope
 *     2> agrepl: Cannot find run "nope": …
 *     ? 5
 *     -- a/file.txt --
 *     its text, up to the next file or the end
 *
 * `$` is run by sh in the script's own folder; `>` is a line of stdout, `2>` one of stderr, `?` the exit code where it is
 * not 0. A line of `...` stands for any number of lines, and `<ID>` and the other {@link placeholders} for what varies.
 *
 * @module
 */

/** One `$` line and what is expected of it. */
export interface ScriptCommand {
  /** Where it stands, from 1. */
  readonly line: number;
  readonly command: string;
  readonly stdout: readonly string[];
  readonly stderr: readonly string[];
  readonly code: number;
}

/** A script, read. */
export interface Script {
  /** Its first comment. */
  readonly title: string;
  readonly commands: readonly ScriptCommand[];
  /** Texts by path. */
  readonly files: ReadonlyMap<string, string>;
}

/**
 * Parses a script.
 *
 * @throws {SyntaxError} when a line is none of the format's.
 */
export function parseScript(text: string): Script {
  const lines = text.split("\n");
  const firstFile = lines.findIndex((line) => fileName(line) !== null);
  const head = firstFile === -1 ? lines : lines.slice(0, firstFile);
  const title = head.find((line) => line.startsWith("# "))?.slice(2);
  if (title === undefined) throw new SyntaxError("Cannot read a script: it begins with no # sentence");
  return { title, commands: parseCommands(head), files: parseFiles(lines.slice(head.length)) };
}

function parseCommands(lines: readonly string[]): ScriptCommand[] {
  const commands: ScriptCommand[] = [];
  let open: { command: string; line: number; stdout: string[]; stderr: string[]; code: number } | undefined;
  for (const [index, line] of lines.entries()) {
    const [, mark, rest = ""] = /^(\$|>|2>|\?|#)(?: (.*))?$/.exec(line) ?? [];
    if (mark === "#" || line === "") continue;
    if (mark === "$") commands.push(open = { command: rest, line: index + 1, stdout: [], stderr: [], code: 0 });
    else if (open === undefined || mark === undefined) throw new SyntaxError(`Cannot read line ${index + 1}: ${line}`);
    else if (mark === "?") open.code = Number(rest);
    else (mark === ">" ? open.stdout : open.stderr).push(rest);
  }
  return commands;
}

function parseFiles(lines: readonly string[]): Map<string, string> {
  const files = new Map<string, string>();
  let open = "";
  for (const line of lines.at(-1) === "" ? lines.slice(0, -1) : lines) {
    const name = fileName(line);
    if (name !== null) files.set(open = name, "");
    else files.set(open, `${files.get(open) ?? ""}${line}\n`);
  }
  return files;
}

function fileName(line: string): string | null {
  return /^-- (\S+) --$/.exec(line)?.[1] ?? null;
}

/** What varies from run to run, and what it looks like. */
export const placeholders: Readonly<Record<string, string>> = {
  ID: "\\d{8}-\\d{6}-[0-9a-z]{4}",
  TIME: "(?:\\d+(?:\\.\\d+)? m?s|\\d+ min \\d+ s)",
  DATE: "\\d{4}-\\d\\d-\\d\\d[ T]\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+Z)?",
  NUMBER: "\\d+(?:\\.\\d+)?",
  HEX: "[0-9a-f]{64}",
  ANY: ".*",
};

/**
 * Tells whether lines are what a script expects.
 *
 * @param expected With placeholders and `...`.
 * @param text What a stream gave; one final newline is not looked at.
 */
export function matchesLines(expected: readonly string[], text: string): boolean {
  const pattern = expected.map((line) => line === "..." ? "(?:.*\n)*" : `${linePattern(line)}\n`).join("");
  const whole = text === "" || text.endsWith("\n") ? text : `${text}\n`;
  return new RegExp(`^${pattern}$`).test(whole);
}

function linePattern(line: string): string {
  return line.split(/(<[A-Z]+>)/).map((part) => placeholders[part.slice(1, -1)] ?? escapePattern(part)).join("");
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
