/**
 * Small shapes of text that every report shares.
 *
 * @module
 */

/**
 * Sets a number before its noun.
 *
 * @param count A whole number from 0.
 * @param noun In the singular.
 * @param plural Where it is not made with an s.
 * @returns `1 step`, `2 steps`.
 */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}

/**
 * Formats a time for reading.
 *
 * @param ms Milliseconds, from 0.
 * @returns `1.5 ms`, `12 ms`, `3.40 s`, `2 min 5 s`.
 */
export function formatDuration(ms: number): string {
  // The limits are where rounding would reach the next unit: never "60.00 s", never "1 min 60 s".
  if (ms < 9.95) return `${ms.toFixed(1)} ms`;
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 59_995) return `${(ms / 1000).toFixed(2)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/**
 * Formats a size for reading.
 *
 * @param bytes A whole number from 0.
 * @returns `512 B`, `1.5 KiB`, `3.2 MiB`.
 */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const units = ["KiB", "MiB", "GiB"];
  const power = Math.min(units.length, Math.floor(Math.log2(bytes) / 10));
  return `${(bytes / 1024 ** power).toFixed(1)} ${units[power - 1]}`;
}

/**
 * Formats a command as a shell would read it.
 *
 * @param command The program and its arguments.
 * @returns The words, quoted where they must be.
 */
export function formatCommand(command: readonly string[]): string {
  return command.map((word) => /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`).join(" ");
}

/**
 * Makes a text from outside safe to print: control characters could move a terminal's cursor or change its colours.
 *
 * @param text Anything a trace or a child may hold.
 * @returns The text with its lines and tabs, every other control written as an escape.
 */
export function printable(text: string): string {
  return text.replace(controls, escaped);
}

/**
 * Makes a text from outside safe to print within a line of ours, where a newline could begin a line of its own.
 *
 * @param text Anything a trace or a child may hold.
 * @returns One line.
 */
export function printableLine(text: string): string {
  return printable(text.replaceAll("\n", "\\n"));
}

function escaped(control: string): string {
  const code = control.charCodeAt(0);
  return code > 0xff ? `\\u${code.toString(16)}` : `\\x${code.toString(16).padStart(2, "0")}`;
}

/** C0 but for tab and newline, DEL, C1, and what turns the direction of writing (U+202A to 202E, U+2066 to 2069). */
// deno-lint-ignore no-control-regex -- control characters are what is looked for
const controls = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Cuts a line to a width.
 *
 * @param text One line.
 * @param width In characters, from 1.
 * @returns The line, with an ellipsis where something is gone.
 */
export function cutLine(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}…`;
}

/**
 * Lays rows out in columns.
 *
 * @param rows Cells of plain text; the last of a row is as wide as it likes.
 * @returns One line per row.
 */
export function formatTable(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows) row.forEach((cell, at) => widths[at] = Math.max(widths[at] ?? 0, cell.length));
  return rows.map((row) =>
    row.map((cell, at) => at === row.length - 1 ? cell : cell.padEnd(widths[at] ?? 0)).join("  ")
  );
}
