// In a file of their own, and not the report's: whoever imports the library loads its errors, and little else.

const shownLines = 10;

/** Writes a number and what it counts. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}

/** The first of the lines, and how many more there are. */
export function shortened(lines: readonly string[]): string[] {
  const shown = lines.slice(0, shownLines);
  return lines.length > shown.length ? [...shown, `… and ${lines.length - shown.length} more`] : shown;
}
