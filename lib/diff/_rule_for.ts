import type { FieldChange } from "./request_difference.ts";

/** The options that would make a request match; `null` where none would. */
export function ruleFor(changes: readonly FieldChange[]): string | null {
  const options: string[] = [];
  for (const { field, recorded, asked } of changes) {
    const [what, ...rest] = field.split(" ");
    const name = rest.join(" ");
    if (what === "query") options.push(`--ignore-query ${quoted(name)}`);
    else if (what === "body" && name.startsWith("#/") && !isItem(name, recorded, asked)) {
      options.push(`--ignore-json ${quoted(name)}`);
    } else return null; // another method, path or free text: no rule makes these the same request
  }
  // A rule that looks past half of the body would match anything.
  return options.length === 0 || options.length > 4 ? null : options.join(" ");
}

/** One item of a list more or less: the list has another length, whatever a rule takes out of it. */
function isItem(pointer: string, recorded: string | null, asked: string | null): boolean {
  return (recorded === null || asked === null) && /\/\d+$/.test(pointer);
}

function quoted(text: string): string {
  return /^[\w.-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
