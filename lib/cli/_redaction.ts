import { credentialNames, keptPatterns, type Redactor, redactorFor } from "../redact/mod.ts";
import { type RedactionRules, TraceFormatError } from "../step/mod.ts";
import { readConfig, type TraceFile } from "../store/mod.ts";
import type { CliContext } from "./_context.ts";
import type { RedactOptions } from "./_options.ts";
import { orUsageError } from "./_run_parts.ts";

/** How a recording redacts, and what its header says of that. */
export interface RecordRedaction {
  readonly redactor: Redactor;
  readonly rules: RedactionRules;
  /** The variables of this environment that hold credentials, all of which the redactor knows. */
  readonly credentials: readonly string[];
}

/** Makes the redactor of a recording: the rules, the configuration's patterns, and those of `--redact`. */
export function recordRedaction(context: CliContext, { redact }: RedactOptions): RecordRedaction {
  const enabled = redact !== false;
  if (!enabled) {
    context.tell(
      "agrepl: --no-redact: every secret that passes is written as it is; agrepl scrub RUN takes them out later",
    );
  }
  const patterns = enabled ? [...readConfig(context.store.layout).redact ?? [], ...redact] : [];
  const kept = orUsageError(() => keptPatterns(patterns));
  const rules: RedactionRules = {
    version: 1,
    ...(kept.length === 0 ? {} : { patterns: kept }),
    ...(enabled ? {} : { enabled }),
  };
  const redactor = orUsageError(() => redactorFor(rules, patterns));
  const credentials = learnCredentials(redactor, context.env);
  return { redactor, rules, credentials };
}

/**
 * Makes the redactor of a replay: what the trace's header says, and what the configuration and `--redact` add.
 *
 * @returns With it, whether something was added: the trace's keys are to be made anew then; and what the header of a
 * trace says that is written with it.
 */
export function replayRedaction(
  context: CliContext,
  trace: TraceFile,
  { redact }: RedactOptions,
): { readonly redactor: Redactor; readonly added: boolean; readonly rules: RedactionRules } {
  const { redaction } = trace.header;
  const recorded = new Set(redaction.patterns ?? []);
  const wanted = [...readConfig(context.store.layout).redact ?? [], ...(redact === false ? [] : redact)];
  const added = redaction.enabled === false ? [] : wanted.filter((pattern) => !recorded.has(pattern));
  traceRedactor(trace); // damage is told as such, before the user's own patterns are looked at
  const redactor = orUsageError(() => redactorFor(redaction, added));
  if (added.length === 0) return { redactor, added: false, rules: redaction };
  const patterns = [...redaction.patterns ?? [], ...keptPatterns(added)];
  return { redactor, added: true, rules: { ...redaction, patterns } };
}

/** Makes the redactor that a trace's header asks for; a pattern that nobody can use is damage. */
export function traceRedactor({ header, path }: TraceFile): Redactor {
  try {
    return redactorFor(header.redaction);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new TraceFormatError({ path, line: 1, offset: 0 }, error.message.replace(/^Cannot use /, ""));
  }
}

/** Makes the credentials of an environment known, and names them. */
export function learnCredentials(redactor: Redactor, env: Readonly<Record<string, string>>): string[] {
  const names = credentialNames(env);
  for (const name of names) redactor.learn(env[name] ?? "");
  return names;
}
