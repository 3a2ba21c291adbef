import type { Command, Option } from "commander";

/** The shells that there is a script for. */
export const shells = ["bash", "zsh", "fish"] as const;

/** One of {@link shells}. */
export type Shell = typeof shells[number];

/**
 * Writes the script that makes a shell complete agrepl, from the commands themselves.
 *
 * @param shell The shell.
 * @param agrepl The program.
 * @returns The script without a trailing newline. Behind `--` it completes files, as for any command.
 */
export function completionScript(shell: Shell, agrepl: Command): string {
  if (shell === "fish") return fishScript(agrepl);
  const bash = bashScript(agrepl);
  return shell === "bash" ? bash : `autoload -U +X bashcompinit && bashcompinit\n${bash}`;
}

function bashScript(agrepl: Command): string {
  const commands = agrepl.commands.map((command) => command.name());
  const cases = agrepl.commands.map((command) => `    ${command.name()}) words="${wordsOf(command).join(" ")}" ;;`);
  const choices = choicesOf(agrepl).map(([flag, values]) => `    ${flag}) words="${values.join(" ")}" ;;`);
  return [
    "_agrepl() {",
    '  local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" words="" at',
    "  COMPREPLY=()",
    '  for ((at = 1; at < COMP_CWORD; at++)); do [ "${COMP_WORDS[at]}" = "--" ] && return; done',
    '  case "${COMP_WORDS[1]}" in',
    ...cases,
    "  esac",
    '  case "$before" in',
    ...choices,
    "  esac",
    `  [ "$COMP_CWORD" -eq 1 ] && words="${[...commands, "--help", "--version"].join(" ")}"`,
    '  COMPREPLY=($(compgen -W "$words" -- "$word"))',
    "}",
    "complete -o default -F _agrepl agrepl",
  ].join("\n");
}

function fishScript(agrepl: Command): string {
  const lines = agrepl.commands.flatMap((command) => [
    `complete -c agrepl -n __fish_use_subcommand -f -a ${command.name()} -d ${quoted(command.description())}`,
    ...optionsOf(command).map((option) => fishOption(command, option)),
  ]);
  return lines.join("\n");
}

function fishOption(command: Command, option: Option): string {
  const values = option.argChoices === undefined ? "" : ` -x -a ${quoted(option.argChoices.join(" "))}`;
  const value = values === "" && option.required ? " -r" : values;
  const condition = quoted(`__fish_seen_subcommand_from ${command.name()}`);
  return `complete -c agrepl -n ${condition} -l ${option.name()}${value} -d ${quoted(option.description)}`;
}

function wordsOf(command: Command): string[] {
  const values = command.registeredArguments.flatMap((argument) => argument.argChoices ?? []);
  return [...values, ...optionsOf(command).map((option) => `--${option.name()}`), "--help"];
}

function optionsOf(command: Command): Option[] {
  return command.options.filter((option) => !option.hidden && option.long !== undefined);
}

function choicesOf(agrepl: Command): [flag: string, values: readonly string[]][] {
  const choices = new Map<string, readonly string[]>();
  for (const option of agrepl.commands.flatMap(optionsOf)) {
    if (option.argChoices !== undefined) choices.set(`--${option.name()}`, option.argChoices);
  }
  return [...choices];
}

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
