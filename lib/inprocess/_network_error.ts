import type { ErrorPhase, RecordedError } from "../step/mod.ts";

/** The system's call that failed, as Node names it. */
const calls: Readonly<Record<ErrorPhase, string>> = {
  dns: "getaddrinfo",
  connect: "connect",
  tls: "connect",
  read: "read",
};

/** A failure of the network, as Node's clients tell it: by its code. */
export function codedError({ phase, code, message }: RecordedError): Error {
  return Object.assign(new Error(`${message} (${code})`), { code, syscall: calls[phase] });
}
