import type { Header, ResponseHead } from "../step/mod.ts";

/**
 * Tells what of a recorded answer no protocol of HTTP can carry: no recording holds such a thing, but a trace that was
 * edited by hand may, and sent as it is it would break the message, or make two of it.
 *
 * @returns A noun phrase, or `null` when all can be sent.
 */
export function explainUnsendable({ statusText, headers }: ResponseHead, trailers: readonly Header[]): string | null {
  if (unsendable.test(statusText)) return `the status text ${JSON.stringify(statusText)}`;
  const bad = headers.find(isUnsendable) ?? trailers.find(isUnsendable);
  return bad === undefined ? null : `the header ${JSON.stringify(`${bad[0]}: ${bad[1]}`)}`;
}

/** Line breaks and NUL (RFC 9110 5.5), and what is more than a byte. */
const unsendable = /[\r\n\0\u0100-\uffff]/;

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

function isUnsendable([name, value]: Header): boolean {
  return !token.test(name) || unsendable.test(value);
}
