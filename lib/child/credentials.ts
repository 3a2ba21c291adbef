/**
 * Environment variables that look like credentials: noticed when recording, stood in for when replaying.
 *
 * @module
 */

const credentialName = /(?:API_?KEY|ACCESS_KEY(?:_ID)?|SECRET|TOKEN|PASSWORD|PASSWD|CREDENTIALS?|_PAT|AUTH_KEY)$/i;

/** Names that end like a credential and are none. */
const plainNames: ReadonlySet<string> = new Set(["GPG_AGENT_TOKEN", "TERM_SESSION_TOKEN", "MAX_TOKEN"]);

/**
 * Finds the variables that hold credentials, by their names.
 *
 * @param environment The variables that a child is to have.
 * @returns Their names, sorted. Empty values do not count.
 */
export function credentialNames(environment: Readonly<Record<string, string>>): string[] {
  return Object.keys(environment)
    .filter((name) => credentialName.test(name) && !plainNames.has(name) && !name.startsWith("AGREPL_"))
    .filter((name) => environment[name] !== "")
    .sort();
}

/** Vendors' SDKs look at a key's shape before they use it: this is what each wants to see. */
const shapes: readonly { readonly name: RegExp; readonly value: string }[] = [
  { name: /^ANTHROPIC_/, value: "sk-ant-api03-agrepl-dummy-0000000000000000000000000000" },
  { name: /^(?:OPENAI|OPENROUTER|DEEPSEEK)_/, value: "sk-agrepl-dummy-000000000000000000000000000000000000" },
  { name: /^(?:GEMINI|GOOGLE)_API_KEY$/, value: "AIzaAgreplDummy000000000000000000000000" },
  { name: /^GROQ_/, value: "gsk_agrepldummy0000000000000000000000000000000000000" },
  { name: /^(?:GITHUB|GH)_/, value: "ghp_agreplDummy000000000000000000000000" },
  { name: /^HF_|HUGGING/, value: "hf_agreplDummy0000000000000000000000" },
  { name: /ACCESS_KEY_ID$/, value: "AKIAAGREPLDUMMY00000" },
  { name: /^AWS_SECRET_ACCESS_KEY$/, value: "agreplDummy/000000000000000000000000000" },
];

/**
 * Makes up a value for a credential that is not set, so that an SDK's constructor does not throw in CI.
 *
 * @param name The variable's name.
 * @returns A value of the vendor's shape that no vendor has ever issued.
 */
export function dummyCredential(name: string): string {
  return shapes.find((shape) => shape.name.test(name))?.value ?? "agrepl-dummy-0000000000000000";
}
