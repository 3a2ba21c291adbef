import { UpstreamError } from "../engine/mod.ts";
import type { ErrorPhase } from "../step/mod.ts";

const dnsCodes = /^(?:ENOTFOUND|EAI_)/;
const connectCodes = /^(?:ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|EACCES|EPERM|EINVAL)$/;
const tlsCodes = /^(?:CERT_|ERR_TLS_|ERR_SSL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_|EPROTO)/;

/** Names the phase of a failure by the code that Node's layers give it. */
export function toUpstreamError(cause: unknown): UpstreamError {
  if (cause instanceof UpstreamError) return cause;
  const { code, message } = describe(cause);
  return new UpstreamError(phaseOf(code), code, message, { cause });
}

function phaseOf(code: string): ErrorPhase {
  if (dnsCodes.test(code)) return "dns";
  if (connectCodes.test(code)) return "connect";
  return tlsCodes.test(code) ? "tls" : "read";
}

function describe(cause: unknown): { readonly code: string; readonly message: string } {
  if (!(cause instanceof Error)) return { code: "EUNKNOWN", message: String(cause) };
  const code = "code" in cause && typeof cause.code === "string" ? cause.code : "ECONNRESET";
  return { code, message: cause.message };
}
