import { type CompiledRules, compileRules } from "../key/mod.ts";
import { Redactor } from "../redact/mod.ts";
import type { KeyRules } from "../step/mod.ts";
import type { CassetteOptions } from "./cassette_options.ts";
import type { Host } from "./host.ts";

/** A redactor that knows the secrets of this environment, as far as it may be read. */
export function redactorFor({ redact = [] }: CassetteOptions, host: Host): Redactor {
  if (redact === false) return new Redactor({ enabled: false });
  const redactor = new Redactor({ patterns: redact });
  for (const [name, value] of Object.entries(host.variables() ?? {})) {
    // Asked of another redactor: ordinals are given by first appearance, and the environment is no part of a cassette.
    if (new Redactor().text(`${name}=${value}`).found > 0) redactor.learn(value);
  }
  return redactor;
}

/** Rules ready for use; the folders that a preset may stand for are looked up only when one does. */
export function compileFor(rules: KeyRules, host: Host): CompiledRules {
  return compileRules(rules, {
    get cwd(): string {
      return Deno.cwd();
    },
    get home(): string {
      return host.variable("HOME") || host.variable("USERPROFILE") || "";
    },
  });
}
