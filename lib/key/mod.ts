/**
 * K(s): what makes two requests the same question.
 *
 * Takes requests in their keyed form (secrets are `[redacted]`, content-encoding undone) and the user's rules.
 * Gives 64 hexadecimal digits: `SHA256(method "\n" norm(url) "\n" hex(H_body))`, scheme 1.
 * Never looks at headers but the content type, never at a clock, never at a secret.
 * Invariants: a key ignores what scheme 1 and the rules name, and nothing else; normalising twice is normalising once;
 * what JSON's canonical form cannot carry is hashed as it is, so that different questions never share a key.
 *
 * @module
 */
export { canonicalBody, canonicalLimitBytes, type KeyedRequest } from "./body.ts";
export { decodeContent, decodeContentStart } from "./content.ts";
export { canonicalJson } from "./json.ts";
export { hashBody, keyOf, requestKey } from "./key.ts";
export type { JsonPointer } from "./pointer.ts";
export { type KeyContext, presetPattern } from "./preset.ts";
export { type CompiledJsonRule, type CompiledRules, type CompiledTextRule, compileRules } from "./rules.ts";
export { type TransientRule, transientRules } from "./transient.ts";
export { normalizeUrl } from "./url.ts";
