import { equal, match } from "node:assert/strict";
import { Command, Option } from "commander";
import { completionScript } from "./_completion_script.ts";

function program(): Command {
  const make = new Command("make").description("Make it, don't wait.")
    .addOption(new Option("--pace <word>", "how fast").choices(["slow", "quick"]))
    .option("--out <file>", "where to");
  return new Command("agrepl").addCommand(make);
}

Deno.test("completionScript() for bash holds the commands, their options and the choices", () => {
  const script = completionScript("bash", program());
  match(script, /words="make --help --version"/);
  match(script, /make\) words="--pace --out --help" ;;/);
  match(script, /--pace\) words="slow quick" ;;/);
});

Deno.test("completionScript() for zsh is bash's, behind zsh's own way to read it", () => {
  equal(
    completionScript("zsh", program()),
    `autoload -U +X bashcompinit && bashcompinit\n${completionScript("bash", program())}`,
  );
});

Deno.test("completionScript() for fish quotes descriptions, offers choices, and asks files for other values", () => {
  const lines = completionScript("fish", program()).split("\n");
  equal(lines[0], "complete -c agrepl -n __fish_use_subcommand -f -a make -d 'Make it, don\\'t wait.'");
  match(lines[1] ?? "", / -l pace -x -a 'slow quick' -d 'how fast'$/);
  match(lines[2] ?? "", / -l out -r -d 'where to'$/);
});
