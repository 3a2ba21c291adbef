import { equal, notEqual } from "node:assert/strict";
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import fc from "fast-check";
import { defaultKeyRules } from "../step/mod.ts";
import { canonicalBody, canonicalLimitBytes, type KeyedRequest } from "./body.ts";
import { keyOf, requestKey } from "./key.ts";
import { compileRules } from "./rules.ts";

const context = { cwd: "/work/agent", home: "/home/me" };
const plain = compileRules(defaultKeyRules, context);

function request(
  url: string,
  body = "",
  contentType: string | undefined = "application/json",
  method = "POST",
): KeyedRequest {
  return { method, url, contentType, body: Buffer.from(body, "utf8") };
}

/** Computed by another implementation: Python's hashlib over the texts of the design's formula. */
const golden: readonly (readonly [what: string, request: KeyedRequest, key: string])[] = [
  [
    "an empty body",
    request("https://EXAMPLE.com:443/#top", "", undefined, "GET"),
    "2b4d081d89d32cd80f5b4cece8017b6e484c5d2d9ddcabd798f991ed3388b6b8",
  ],
  [
    "JSON",
    request(
      "https://api.openai.com/v1/chat/completions",
      '{"model":"gpt-4o", "messages":[{"role":"user","content":"hi"}]}',
    ),
    "a148ccfe7af4d94f139ad6d861aa0b920f8dada9e262f7e63a03df824c95efc8",
  ],
  [
    "a query with a secret",
    request("https://h/?q=1&api_key=[redacted]", "", undefined, "GET"),
    "2d5445934d8d83c51b6d99bcab5c398183e827d63d524d932b121bf955980cad",
  ],
  [
    "JSON-RPC",
    request("https://h/mcp", '{"jsonrpc":"2.0","id":17,"method":"tools/list"}'),
    "15521e183cc5a501aaf5be5d970e1b302d463b869b41b511887d16bc8bd722be",
  ],
  [
    "multipart",
    request(
      "https://h/up",
      '--x.Y+1\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x.Y+1--\r\n',
      "Multipart/Form-Data; boundary=x.Y+1",
    ),
    "4606b144cbc74a620b2a7aa37e8f3fed7c23eaa8d1b703807f28c58fd3ce1187",
  ],
  [
    "JSON that has no canonical form",
    request("https://h/big", '{ "id": 9007199254740993 }'),
    "72e692f799983ab4b3c3cab61b428d3560b47e73aa93a85395ea8d1e2b891485",
  ],
];

for (const [what, asked, key] of golden) {
  Deno.test(`requestKey() gives the key that scheme 1 defines for ${what}`, () => equal(requestKey(asked, plain), key));
}

Deno.test("requestKey() tells methods apart", () => {
  const [get, head] = ["GET", "HEAD"].map((method) => requestKey(request("http://h/", "", undefined, method), plain));
  notEqual(get, head);
});

Deno.test("keyOf() hashes its three parts with line feeds between", () => {
  const expected = createHash("sha256").update("GET\nhttp://h/\nabc").digest("hex");
  equal(keyOf("GET", "http://h/", "abc"), expected);
});

Deno.test("requestKey() ignores the order of members and tells every other change of a JSON body", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), fc.string(), (members, more) => {
      const text = JSON.stringify(members);
      const reversed = JSON.stringify(Object.fromEntries(Object.entries(members).reverse()), null, 1);
      equal(requestKey(request("http://h/", text), plain), requestKey(request("http://h/", reversed), plain));
      const other = JSON.stringify({ ...members, [`${Object.keys(members)[0]}+`]: [more] });
      notEqual(requestKey(request("http://h/", text), plain), requestKey(request("http://h/", other), plain));
    }),
    { numRuns: 200 },
  );
});

Deno.test("canonicalBody() gives back as it is what is longer than the limit", () => {
  const body = Buffer.alloc(canonicalLimitBytes + 1, " ");
  body.write("{}");
  equal(canonicalBody({ ...request("http://h/"), body }, plain), body);
});
