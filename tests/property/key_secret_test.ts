/** K never depends on a secret: the same request with another credential, or with what a trace stored of it, has the same key. */
import { equal } from "node:assert/strict";
import { Buffer } from "node:buffer";
import fc from "fast-check";
import { compileRules, requestKey } from "../../lib/key/mod.ts";
import { redactedConstant, Redactor } from "../../lib/redact/mod.ts";
import { defaultKeyRules, type Header, headerValue } from "../../lib/step/mod.ts";

const rules = compileRules(defaultKeyRules, { cwd: "/work", home: "/home/me" });

interface Asked {
  readonly url: string;
  readonly headers: readonly Header[];
  readonly body: string;
}

/** The key, and what a trace would hold of the request. */
function keyed({ url, headers, body }: Asked): { readonly key: string; readonly stored: Asked } {
  const redactor = new Redactor();
  const storedHeaders = redactor.headers(headers);
  const link = redactor.url(url);
  const contentType = headerValue(headers, "content-type");
  const redaction = redactor.body(contentType);
  const pieces = [...redaction.push(Buffer.from(body)), ...redaction.end()];
  const constant = Buffer.from(redactedConstant);
  const keyedBody = Buffer.concat(pieces.map((piece) => piece.secret ? constant : piece.stored));
  const key = requestKey({ method: "POST", url: link.keyed, contentType, body: keyedBody }, rules);
  const stored = Buffer.concat(pieces.map((piece) => piece.stored)).toString();
  return { key, stored: { url: link.stored, headers: storedHeaders, body: stored } };
}

/** The same request with a credential in every place that the options name. */
function askWith(secret: string, [inHeader, inQuery, inMember, inText]: readonly boolean[], words: string): Asked {
  const headers: Header[] = [["Content-Type", "application/json"]];
  // What stands loose in a text is found by its value, which the header tells.
  if (inHeader || inText) headers.push(["Authorization", `Bearer ${secret}`]);
  const body = { words, ...(inMember ? { api_key: secret } : {}), ...(inText ? { note: `key=<${secret}>` } : {}) };
  const query = inQuery ? `&access_token=${secret}` : "";
  return { url: `https://api.example.com/v1?q=1${query}`, headers, body: JSON.stringify(body) };
}

const secrets = fc.stringMatching(/^[A-Za-z]{8}[0-9]{6}[A-Za-z0-9]{8,40}$/);
const places = fc.array(fc.boolean(), { minLength: 4, maxLength: 4 });

Deno.test("K is the same whatever the credential, in headers, URL and body at once", () => {
  fc.assert(
    fc.property(secrets, secrets, places, fc.string(), (one, other, where, words) => {
      equal(keyed(askWith(one, where, words)).key, keyed(askWith(other, where, words)).key);
    }),
    { numRuns: 500 },
  );
});

Deno.test("K of what a trace stored of a request is K of the request", () => {
  fc.assert(
    fc.property(secrets, places, fc.string(), (secret, where, words) => {
      const { key, stored } = keyed(askWith(secret, where, words));
      equal(keyed(stored).key, key);
      equal(JSON.stringify(stored).includes(secret), false);
    }),
    { numRuns: 500 },
  );
});
