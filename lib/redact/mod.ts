/**
 * What is replaced before a step is written or keyed.
 *
 * Takes headers, URLs, texts and the bytes of bodies, as they were on the wire (content-encoding undone).
 * Gives two forms of each: `stored`, in which a secret is a placeholder of the same length, and `keyed`, in which any
 * secret, and any placeholder that comes in, is the constant `[redacted]`.
 * Never changes a byte outside of a secret, never writes a secret anywhere, never holds one longer than the trace.
 * Invariants: redacting twice is redacting once; lengths stay; the keyed form of what is stored is the keyed form of
 * what was sent; the result does not depend on where a body was cut into chunks.
 *
 * What is a secret stands as data in `rules.ts`; a rule is a line there.
 *
 * @module
 */
export type { BodyRedaction, Piece } from "./body.ts";
export { redactCommand } from "./command_line.ts";
export { credentialNames, dummyCredential } from "./credentials.ts";
export { randomTokens, type Token } from "./entropy.ts";
export { redactedConstant } from "./placeholder.ts";
export { compilePatterns, keptPatterns, redactorFor } from "./patterns.ts";
export { type RedactedText, Redactor, type RedactorOptions } from "./redactor.ts";
