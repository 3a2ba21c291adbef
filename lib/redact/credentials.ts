/**
 * Environment variables that look like credentials: noticed when recording, stood in for when replaying.
 *
 * @module
 */

const credentialName = /(?:API_?KEY|ACCESS_KEY(?:_ID)?|SECRET|TOKEN|PASSWORD|PASSWD|CREDENTIALS?|_PAT)$/i;

/** `STRIPE_SECRET_KEY`, `SUPABASE_KEY`; but `TLS_KEY` names a file. */
const keyName = /_KEY$/i;
const filePath = /^(?:~|\.{0,2})\/.*\.|^[A-Z]:\\/i;

/** Names that end like a credential and are none. */
const plainNames: ReadonlySet<string> = new Set([
  "GOOGLE_APPLICATION_CREDENTIALS", // the path of a file
  "GPG_AGENT_TOKEN",
  "TERM_SESSION_TOKEN",
  "MAX_TOKEN",
]);

/**
 * Finds the variables that hold credentials, by their names.
 *
 * @param environment The variables that a child is to have.
 * @returns Their names, sorted. Empty values do not count.
 */
export function credentialNames(environment: Readonly<Record<string, string>>): string[] {
  return Object.entries(environment)
    .filter(([name, value]) => value !== "" && isCredential(name, value))
    .map(([name]) => name)
    .sort();
}

function isCredential(name: string, value: string): boolean {
  if (plainNames.has(name) || name.startsWith("AGREPL_") || name.includes("PUBLIC_KEY")) return false;
  return credentialName.test(name) || (keyName.test(name) && !filePath.test(value));
}

/** What a vendor's SDK looks at before it uses a key. */
interface CredentialShape {
  readonly name: RegExp;
  readonly start: string;
  /** In characters, filled up with zeros. */
  readonly length: number;
}

const shapes: readonly CredentialShape[] = [
  { name: /^ANTHROPIC_/, start: "sk-ant-api03-agrepl-dummy-", length: 108 },
  { name: /^(?:OPENAI|OPENROUTER|DEEPSEEK)_/, start: "sk-agrepl-dummy-", length: 51 },
  { name: /^(?:GEMINI|GOOGLE)_API_KEY$/, start: "AIzaAgreplDummy", length: 39 },
  { name: /^GROQ_/, start: "gsk_agreplDummy", length: 56 },
  { name: /^(?:GITHUB|GH)_/, start: "ghp_agreplDummy", length: 40 },
  { name: /^HF_|HUGGING/, start: "hf_agreplDummy", length: 37 },
  { name: /ACCESS_KEY_ID$/, start: "AKIAAGREPLDUMMY", length: 20 },
  { name: /^AWS_SECRET_ACCESS_KEY$/, start: "agreplDummy/", length: 40 },
];

const plainShape = { start: "agrepl-dummy-", length: 29 };

/**
 * Makes up a value for a credential that is not set, so that an SDK's constructor does not throw in CI.
 *
 * @param name The variable's name.
 * @returns A value of the vendor's shape and length that no vendor has ever issued.
 */
export function dummyCredential(name: string): string {
  const { start, length } = shapes.find((shape) => shape.name.test(name)) ?? plainShape;
  return start.padEnd(length, "0");
}
