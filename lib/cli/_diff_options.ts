import { type Command, Option } from "commander";
import type { KeyOptions } from "./_options.ts";

/** Options that say what `diff` counts as noise. */
export interface RuleOptions {
  readonly noise: readonly string[];
  readonly signal: readonly string[];
}

/** What `diff` understands. */
export interface DiffOptions extends KeyOptions, RuleOptions {
  readonly verbose?: boolean;
  readonly timing?: boolean;
  readonly json?: boolean;
  readonly markdown?: boolean;
  readonly failOn: "signal" | "any" | "never";
}

/** What `learn` understands. */
export interface LearnOptions extends KeyOptions, RuleOptions {
  readonly write?: boolean;
  readonly json?: boolean;
}

/** Adds `--noise` and `--signal`. */
export function addRuleOptions(command: Command): Command {
  const collect = (value: string, before: readonly string[]) => [...before, value];
  const what = "a header 'x-build-*', 'set-cookie/name', or a member '[METHOD ][URL ]#/pointer'";
  return command
    .addOption(
      new Option("--noise <rule>", `count as noise: ${what} (repeatable)`).default([], "none").argParser(collect),
    )
    .addOption(
      new Option("--signal <rule>", "count as signal, whatever else says (repeatable)").default([], "none").argParser(
        collect,
      ),
    );
}
