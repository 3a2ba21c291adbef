import { Buffer } from "node:buffer";
import { deepEqual, equal, throws } from "node:assert/strict";
import { Redactor } from "./redactor.ts";

const key = "sk-proj-abcDEF0123456789";
const jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U";

Deno.test("headers() keeps the scheme word and the length when it redacts authorization", () => {
  deepEqual(new Redactor().headers([["Authorization", `Bearer ${key}`]]), [
    ["Authorization", "Bearer [redacted-1************]"],
  ]);
});

Deno.test("headers() redacts the whole value when the scheme is not a known one", () => {
  deepEqual(new Redactor().headers([["authorization", "hunter2 and so on"]]), [["authorization", "[redacted-1*****]"]]);
});

Deno.test("headers() keeps names and attributes of cookies", () => {
  deepEqual(
    new Redactor().headers([["Cookie", "a=b; sid=0123456789abcdef"], ["Set-Cookie", "sid=xyz; Path=/; HttpOnly"]]),
    [
      ["Cookie", "a=*; sid=[redacted-2****]"],
      ["Set-Cookie", "sid=***; Path=/; HttpOnly"],
    ],
  );
});

Deno.test("headers() leaves challenges, empty values and ordinary headers alone", () => {
  const headers = [["WWW-Authenticate", 'Bearer realm="x"'], ["x-api-key", ""], ["accept", "*/*"]] as const;
  deepEqual(new Redactor().headers(headers), headers);
});

Deno.test("headers() redacts a header that is only named like a key", () => {
  deepEqual(new Redactor().headers([["X-Acme-Api-Key", "hello"]]), [["X-Acme-Api-Key", "*****"]]);
});

Deno.test("headers() finds secrets in a link of another header", () => {
  deepEqual(new Redactor().headers([["location", "https://h/cb?access_token=abc&x=1"]]), [
    ["location", "https://h/cb?access_token=***&x=1"],
  ]);
});

Deno.test("headers() learns what it redacts, and the password inside basic authentication", () => {
  const redactor = new Redactor();
  redactor.headers([["authorization", `Basic ${btoa("user:pass-word-0123456789")}`], ["x-api-key", key]]);
  equal(redactor.text(`saw ${key} and pass-word-0123456789`).keyed, "saw [redacted] and [redacted]");
});

Deno.test("headers() redacts the bearer token of Kubernetes among subprotocols, and keeps the others", () => {
  const token = "c2VjcmV0LXRva2VuLTAxMjM0NTY3ODk";
  const value = `v4.channel.k8s.io, base64url.bearer.authorization.k8s.io.${token}`;
  deepEqual(new Redactor().headers([["Sec-WebSocket-Protocol", value]]), [
    ["Sec-WebSocket-Protocol", value.replace(token, "[redacted-1*******************]")],
  ]);
});

const hosts: readonly (readonly [value: string, stored: string])[] = [
  ["me:S3cretPassw0rd123@example.com:8080", "me:[redacted-1*****]@example.com:8080"],
  ["me:p@ss@example.com", "me:****@example.com"],
  ["a1b2c3d4e5f6a7b8c9@example.com", "[redacted-1******]@example.com"],
  ["me@example.com", "me@example.com"],
  ["example.com:8080", "example.com:8080"],
];

for (const [value, stored] of hosts) {
  Deno.test(`headers() stores the host "${value}" as "${stored}", and that as it is`, () => {
    deepEqual(new Redactor().headers([["Host", value]]), [["Host", stored]]);
    deepEqual(new Redactor().headers([["Host", stored]]), [["Host", stored]]);
  });
}

Deno.test("headers() keeps a placeholder that comes in as it is", () => {
  const headers = [["authorization", "Bearer [redacted-9*****]"]] as const;
  deepEqual(new Redactor().headers(headers), headers);
});

Deno.test("url() redacts key-like parameters and keeps everything else", () => {
  deepEqual(new Redactor().url("https://h/p?q=1&api_key=hello&X-Amz-Signature=0123456789abcdef#f"), {
    stored: "https://h/p?q=1&api_key=*****&X-Amz-Signature=[redacted-2****]#f",
    keyed: "https://h/p?q=1&api_key=[redacted]&X-Amz-Signature=[redacted]#f",
    found: 2,
  });
});

Deno.test("url() redacts the password in user information and keeps a short user name", () => {
  equal(new Redactor().url("https://me:pw@h/").keyed, "https://me:[redacted]@h/");
});

Deno.test("url() leaves `key` alone when it names a record, but not on Google's hosts", () => {
  equal(new Redactor().url("https://h/kv?key=Enter").found, 0);
  equal(
    new Redactor().url("https://maps.googleapis.com/x?key=dummy").keyed,
    "https://maps.googleapis.com/x?key=[redacted]",
  );
});

Deno.test("url() counts a percent-encoded placeholder as the constant and stores it verbatim", () => {
  const url = "https://h/?a=%5Bredacted-7%2A%2a%5d";
  deepEqual(new Redactor().url(url), { stored: url, keyed: "https://h/?a=[redacted]", found: 0 });
});

Deno.test("url() finds the credential in the path of a webhook", () => {
  const url = "https://hooks.slack.com/services/T00000000/B00000000/abcdefabcdef";
  equal(new Redactor().url(url).keyed, "https://hooks.slack.com/services/[redacted]");
});

Deno.test("text() finds assignments, flags and headers of a command line", () => {
  const text = `API_KEY=abc curl --api-key def -H 'Authorization: Bearer ghi' "password": "j k l"`;
  equal(
    new Redactor().text(text).keyed,
    `API_KEY=[redacted] curl --api-key [redacted] -H 'Authorization: Bearer [redacted]' "password": "[redacted]"`,
  );
});

Deno.test("text() keeps the length in bytes when letters take more than one", () => {
  const { stored } = new Redactor().text("héé password: 'ünïcödé'");
  equal(stored, "héé password: '***********'");
});

Deno.test("learn() finds a value again in its JSON and percent-encoded forms", () => {
  const redactor = new Redactor();
  redactor.learn('abc"/def+0123456789');
  const text = 'a abc"/def+0123456789 b abc\\"/def+0123456789 c abc%22%2Fdef%2B0123456789 d abc%22%2fdef%2b0123456789';
  equal(redactor.text(text).keyed, "a [redacted] b [redacted] c [redacted] d [redacted]");
});

Deno.test("learn() ignores what is too short or too plain to be searched for", () => {
  const redactor = new Redactor();
  for (const plain of ["short1", "averylongbutplainword", "2026-11-20T09:12:33.120Z", "https://example.com/v1"]) {
    redactor.learn(plain);
    equal(redactor.text(plain).found, 0, plain);
  }
});

Deno.test("text() gives the same secret the same ordinal wherever it is met", () => {
  const redactor = new Redactor();
  redactor.headers([["x-api-key", "another-one-0123456789"], ["authorization", `Bearer ${key}`]]);
  equal(redactor.text(key).stored, "[redacted-2************]");
});

Deno.test("text() replaces only the signature of a JWT, and knows the result again", () => {
  const { stored, keyed } = new Redactor().text(`see ${jwt}!`);
  equal(stored, "see eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.[redacted-1*******************************]!");
  equal(keyed, "see [redacted]!");
  equal(new Redactor().text(stored).keyed, keyed);
});

Deno.test("text() takes the user's patterns, also with letters beyond ASCII", () => {
  const redactor = new Redactor({ patterns: [/ACME-\d{8}/, /Schlüssel\d+/] });
  equal(redactor.text("x ACME-12345678 Schlüssel12").keyed, "x [redacted] [redacted]");
});

Deno.test("text() keys a pattern's hit by its stars when it is too short for a placeholder", () => {
  deepEqual(new Redactor({ patterns: [/\d{4}/] }).text("pin 1234"), {
    stored: "pin ****",
    keyed: "pin ****",
    found: 1,
  });
});

Deno.test("Redactor throws a TypeError when a pattern cannot be read as bytes", () => {
  throws(() => new Redactor({ patterns: [/[ü]/v, /(?<ü>x)/] }), TypeError);
});

Deno.test("Redactor replaces nothing when disabled, but keys placeholders that come in", () => {
  const redactor = new Redactor({ enabled: false, patterns: [/x/] });
  redactor.learn(key);
  const headers = [["authorization", `Bearer ${key}`]] as const;
  deepEqual(redactor.headers(headers), headers);
  const url = `https://h/?api_key=${key}&a=[redacted-7]`;
  deepEqual(redactor.url(url), { stored: url, keyed: `https://h/?api_key=${key}&a=[redacted]`, found: 0 });
});

Deno.test("Redactor leaves binary bodies alone in which the marks of a URL stand by chance", () => {
  const bytes = Buffer.from("PK\x03\x04\x98\xa5://:\xad\xea\xd6B}\xee\xdf\xe7^\x046H\xa1*VB\xf9p@\xc8tail", "latin1");
  const redaction = new Redactor().body("application/zip");
  const stored = Buffer.concat([...redaction.push(bytes), ...redaction.end()].map((piece) => piece.stored));
  deepEqual([...stored], [...bytes]);
});

Deno.test("Redactor wants a scheme before user information", () => {
  const { stored } = new Redactor().text("see ://a:S3cretPassw0rd123@h, and http://a:S3cretPassw0rd123@h");
  equal(stored, "see ://a:S3cretPassw0rd123@h, and http://a:[redacted-1*****]@h");
});
