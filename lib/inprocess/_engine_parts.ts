import type { LiveRequest } from "../engine/mod.ts";
import { type CompiledRules, compileRules } from "../key/mod.ts";
import { credentialNames, Redactor } from "../redact/mod.ts";
import { printableLine } from "../report/mod.ts";
import type { KeyRules } from "../step/mod.ts";
import type { SessionOptions } from "./cassette_options.ts";
import type { Host } from "./host.ts";

/** A redactor that knows the secrets of this environment, as far as it may be read. */
export function redactorFor({ redact = [] }: SessionOptions, host: Host): Redactor {
  if (redact === false) return new Redactor({ enabled: false });
  const redactor = new Redactor({ patterns: redact });
  const variables = host.variables() ?? {};
  for (const name of credentialNames(variables)) redactor.learn(variables[name] ?? "");
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

/** Requests as they may be shown: their URLs without secrets, each on one line. */
export function toShown(requests: readonly Pick<LiveRequest, "method" | "url">[], redactor: Redactor): string[] {
  return requests.map(({ method, url }) => printableLine(`${method} ${redactor.url(url).stored}`));
}
