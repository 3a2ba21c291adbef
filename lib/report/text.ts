/**
 * Small shapes of text that every report shares.
 *
 * @module
 */

/** A number with its noun: `1 step`, `2 steps`. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}

/** Milliseconds for reading: `12 ms`, `3.4 s`, `2 min 5 s`. */
export function formatDuration(ms: number): string {
  if (ms < 10) return `${ms.toFixed(1)} ms`;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(2)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}

/** Bytes for reading: `512 B`, `1.5 KiB`, `3.2 MiB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const units = ["KiB", "MiB", "GiB"];
  const power = Math.min(units.length, Math.floor(Math.log2(bytes) / 10));
  return `${(bytes / 1024 ** power).toFixed(1)} ${units[power - 1]}`;
}

/** A command as a shell would read it. */
export function formatCommand(command: readonly string[]): string {
  return command.map((word) => /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`).join(" ");
}

/**
 * Makes a text from outside safe to print: control characters could move a terminal's cursor or change its colours.
 *
 * @param text Anything a trace or a child may hold.
 */
export function printable(text: string): string {
  return text.replace(controls, (control) => `\\x${control.charCodeAt(0).toString(16).padStart(2, "0")}`);
}

/** C0 but for tab and newline, DEL, and C1. */
// deno-lint-ignore no-control-regex -- control characters are what is looked for
const controls = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;

/** Cuts a line to a width, with an ellipsis where something is gone. */
export function cutLine(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}…`;
}

/** Lays rows out in columns; the last column is as wide as it likes. */
export function formatTable(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows) row.forEach((cell, at) => widths[at] = Math.max(widths[at] ?? 0, cell.length));
  return rows.map((row) =>
    row.map((cell, at) => at === row.length - 1 ? cell : cell.padEnd(widths[at] ?? 0)).join("  ")
  );
}
