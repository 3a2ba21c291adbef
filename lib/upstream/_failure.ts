import { UpstreamError } from "../engine/mod.ts";
import type { ErrorPhase } from "../step/mod.ts";

const dnsCodes = /^(?:ENOTFOUND|EAI_)/;
const connectCodes = /^(?:ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|EACCES|EPERM|EINVAL)$/;
const tlsCodes = /^(?:CERT_|ERR_TLS_|ERR_SSL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_|EPROTO)/;

/**
 * Names the phase of a failure by the code that Node's layers give it.
 *
 * @param reached The phase it was in, for a code that any phase may give.
 */
export function toUpstreamError(cause: unknown, reached: ErrorPhase): UpstreamError {
  if (cause instanceof UpstreamError) return cause;
  const { code, message } = describe(cause);
  const looking = cause instanceof Error && "syscall" in cause && cause.syscall === "getaddrinfo";
  return new UpstreamError(looking ? "dns" : phaseOf(code, reached), code, message, { cause });
}

/** Names a failure of a connection that stands: whatever the code, it came while an answer was read. */
export function toReadError(cause: unknown): UpstreamError {
  const failure = toUpstreamError(cause, "read");
  return failure.phase === "read" ? failure : new UpstreamError("read", failure.code, failure.message, { cause });
}

function phaseOf(code: string, reached: ErrorPhase): ErrorPhase {
  if (dnsCodes.test(code)) return "dns";
  if (connectCodes.test(code)) return "connect";
  return tlsCodes.test(code) ? "tls" : reached;
}

function describe(cause: unknown): { readonly code: string; readonly message: string } {
  if (!(cause instanceof Error)) return { code: "EUNKNOWN", message: String(cause) };
  const known = "code" in cause && typeof cause.code === "string" ? cause.code : undefined;
  return { code: known ?? codeOf(cause.message), message: cause.message };
}

/** Deno's own connections fail with words where Node's have a code. */
const codesByWords: readonly (readonly [words: RegExp, code: string])[] = [
  [/failed to lookup address/, "ENOTFOUND"],
  [/certificate.*(?:Expired|expired)/, "CERT_HAS_EXPIRED"],
  [/certificate not valid for name|NotValidForName/, "ERR_TLS_CERT_ALTNAME_INVALID"],
  [/UnknownIssuer/, "UNABLE_TO_VERIFY_LEAF_SIGNATURE"],
  [/invalid peer certificate/, "CERT_INVALID"],
];

function codeOf(message: string): string {
  return codesByWords.find(([words]) => words.test(message))?.[1] ?? "ECONNRESET";
}
