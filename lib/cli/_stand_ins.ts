import { credentialNames, dummyCredential } from "../redact/mod.ts";

/** Credentials of a replay's child. */
export interface StandIns {
  /** Set for the child beside its own variables. */
  readonly dummies: Readonly<Record<string, string>>;
  /** Secrets that the redactor is to know, real or made up. */
  readonly values: readonly string[];
  readonly notes: readonly string[];
}

/**
 * Makes a dummy for each credential that the recording had and this environment lacks, so that SDKs start.
 *
 * @param recorded The names that the trace's header holds.
 * @param env The variables of this process.
 */
export function standIns(recorded: readonly string[], env: Readonly<Record<string, string>>): StandIns {
  const missing = recorded.filter((name) => (env[name] ?? "") === "");
  const dummies = Object.fromEntries(missing.map((name) => [name, dummyCredential(name)]));
  const present = credentialNames(env).map((name) => env[name] ?? "");
  return {
    dummies,
    values: [...present, ...Object.values(dummies)],
    notes: missing.length === 0 ? [] : [`Not set here, so a dummy stood in: ${missing.join(", ")}`],
  };
}
