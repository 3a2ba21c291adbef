/** The parts of a page that a program writes: they stand between markers, and all else is left alone. */

/**
 * Replaces what stands between `<!-- begin NAME -->` and `<!-- end NAME -->`.
 *
 * @param page The page.
 * @param name The part's name.
 * @param text What is to stand there.
 * @returns The page with the part replaced.
 * @throws {RangeError} when the page has no such part.
 */
export function replacePart(page: string, name: string, text: string): string {
  const begin = `<!-- begin ${name} -->\n`;
  const end = `<!-- end ${name} -->`;
  const from = page.indexOf(begin);
  const to = page.indexOf(end, from);
  if (from === -1 || to === -1) throw new RangeError(`Cannot replace "${name}": the page has no such part`);
  return `${page.slice(0, from + begin.length)}\n${text.trimEnd()}\n\n${page.slice(to)}`;
}
