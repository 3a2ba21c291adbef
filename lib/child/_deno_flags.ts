/** A permission that a preload uses. */
export type Grant = "env" | "read" | "write";

/** Flags whose value is the next word. */
const valued = new RegExp(
  "^(?:-c|-L|--(?:config|log-level|ext|import-map|node-modules-linker|cert|lock|min-dep-age|minimum-dependency-age|" +
    "inspect-publish-uid|location|seed|preload|import|require|conditions|filter|coverage-threshold|reporter|" +
    "junit-path|retry|repeats|shard|related|cpu-prof-(?:dir|name|interval)))$",
);

/** The indices of a command's words: flags, and the script that they are for. */
export interface DenoFlags {
  readonly flags: readonly number[];
  /** -1 where there is none. */
  readonly script: number;
}

/**
 * Finds the flags among the words behind `deno run` or `deno test`.
 *
 * @param takesScript Flags end at the script, as for `deno run`; else they stand anywhere before `--`.
 */
export function readDenoFlags(words: readonly string[], takesScript: boolean): DenoFlags {
  const flags: number[] = [];
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? "";
    if (word === "--") return { flags, script: takesScript && index + 1 < words.length ? index + 1 : -1 };
    if (word.startsWith("-") && word !== "-") {
      flags.push(index);
      if (valued.test(word)) index++;
    } else if (takesScript) return { flags, script: index };
  }
  return { flags, script: -1 };
}

const letters: Readonly<Record<Grant, string>> = { env: "E", read: "R", write: "W" };

/** Tells whether flags grant the whole of a permission: `-A`, `--allow-read`, `-RE`. */
export function spellsAll(flags: readonly string[], grant: Grant): boolean {
  const short = new RegExp(`^-[A-Za-z]*(?:A|${letters[grant]}(?!=))[A-Za-z]*`);
  return flags.some((flag) => flag === "--allow-all" || flag === `--allow-${grant}` || short.test(flag));
}
