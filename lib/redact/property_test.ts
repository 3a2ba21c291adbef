import { equal, ok } from "node:assert/strict";
import { Buffer } from "node:buffer";
import fc from "fast-check";
import { Redactor } from "./redactor.ts";

const learned = "Zz9aA0bB1cC2dD3eE4=+";
const signature = "dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U";
/** What confuses a reader: starts and ends of everything that a rule knows, in any order. */
const fragments = [
  ..."\"'&/:=.?%+0{}]\n\\x é".split(""),
  ...['"api_key":"', '\\"', '\\\\"', '"token":"', '\\"password\\":\\"', "&token=", "?sig=", "https://", "user:pw@"],
  ...["eyJhbGciOi", ".eyJzdWIi", signature, "s3cretValue0123456789", learned, "[redacted-", "7", "***", "\\u0026"],
  ...["sk-proj-", "AIza", "AKIA", "ABCDEFGH2345IJKL", "Qw3rTy7uIoP9aSdF5gHjK2lZxCvB4nM8", "PRIVATE KEY-----", "\\n"],
  ...["[redacted-3****]", "%5Bredacted-2%2A%5D", "%5D", "password", "key", "Authorization: Bearer ", "authorization"],
  ...[
    "hooks.slack.com/services/",
    "T01/B02/abcdefghijklmnop",
    'name="api_key"\r\n\r\n',
    "\r\n--XX\r\n",
    "client_secret=",
    '{"value":"',
    '"password":',
  ],
];
const soup = fc.array(fc.constantFrom(...fragments), { maxLength: 30 }).map((parts) => parts.join(""));
const contentType = fc.constantFrom(
  undefined,
  "application/json",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=XX",
);
const cuts = fc.array(fc.nat(3000), { maxLength: 6 });
const runs = { numRuns: 300 };

function knowing(): Redactor {
  const redactor = new Redactor();
  redactor.learn(learned);
  return redactor;
}

function redact(redactor: Redactor, type: string | undefined, binary: string, at: readonly number[] = []) {
  const bytes = Buffer.from(binary, "latin1");
  const body = redactor.body(type);
  const edges = [0, ...at.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length];
  const pieces = edges.slice(1).flatMap((edge, index) => body.push(bytes.subarray(edges[index], edge)));
  const texts = [...pieces, ...body.end()].map(({ stored, secret }) => ({
    text: Buffer.from(stored).toString("latin1"),
    secret,
  }));
  return {
    stored: texts.map(({ text }) => text).join(""),
    keyed: texts.map(({ text, secret }) => secret ? "[redacted]" : text).join(""),
  };
}

Deno.test("body() gives the same result wherever the body is cut", () => {
  const long = fc.array(soup, { maxLength: 6 }).map((parts) => parts.join("x".repeat(150)));
  fc.assert(
    fc.property(long, contentType, cuts, (text, type, at) => {
      const whole = redact(knowing(), type, text);
      const parts = redact(knowing(), type, text, at);
      equal(parts.stored, whole.stored);
      equal(parts.keyed, whole.keyed);
    }),
    runs,
  );
});

Deno.test("body() is idempotent, keeps lengths, and keys what is stored as what was sent", () => {
  fc.assert(
    fc.property(soup, contentType, (text, type) => {
      const once = redact(knowing(), type, text);
      const twice = redact(new Redactor(), type, once.stored);
      equal(once.stored.length, Buffer.from(text, "latin1").length);
      equal(twice.stored, once.stored);
      equal(twice.keyed, once.keyed);
    }),
    runs,
  );
});

Deno.test("url() and text() are idempotent, keep lengths, and key what is stored as what was sent", () => {
  const asText = (redactor: Redactor, text: string) => redactor.text(text);
  const asUrl = (redactor: Redactor, text: string) => redactor.url(text);
  fc.assert(
    fc.property(soup, fc.constantFrom(asText, asUrl), (tail, redact) => {
      const text = `https://h.googleapis.com/${tail}`;
      const once = redact(knowing(), text);
      const twice = redact(new Redactor(), once.stored);
      equal(Buffer.byteLength(once.stored), Buffer.byteLength(text));
      equal(twice.stored, once.stored);
      equal(twice.keyed, once.keyed);
    }),
    runs,
  );
});

Deno.test("body() keeps JSON valid and lets no planted secret through", () => {
  const secret = fc.string({ minLength: 16, maxLength: 200 }).map((tail) => `q7${tail}`).filter((value) =>
    value.trim() !== ""
  );
  const name = fc.constantFrom("api_key", "accessToken", "client-secret", "DB_PASSWORD", "refresh_token");
  const depth = fc.nat(3);
  fc.assert(
    fc.property(secret, name, depth, cuts, (value, member, levels, at) => {
      let text = JSON.stringify({ [member]: value, other: "kept" });
      for (let level = 0; level < levels; level++) text = JSON.stringify({ inner: text });
      const binary = Buffer.from(text, "utf8").toString("latin1");
      let result: unknown = JSON.parse(redact(new Redactor(), "application/json", binary, at).stored);
      for (let level = 0; level < levels; level++) result = JSON.parse(Object(result).inner);
      ok(/^(\[redacted-1\**\]|\*+)$/.test(Object(result)[member]));
      equal(Object(result).other, "kept");
    }),
    runs,
  );
});

Deno.test("body() finds a learned secret anywhere in any body, however it is cut", () => {
  fc.assert(
    fc.property(
      fc.string({ maxLength: 300 }),
      fc.string({ maxLength: 300 }),
      contentType,
      cuts,
      (before, after, type, at) => {
        const binary = Buffer.from(before + learned + after, "utf8").toString("latin1");
        ok(!redact(knowing(), type, binary, at).stored.includes(learned));
      },
    ),
    runs,
  );
});

Deno.test("body() and text() take no longer than linear time on hostile input of 1 MB", () => {
  const units = [
    "\\",
    "eyJ",
    "eyJa.eyJ",
    '"password":"',
    '\\"password\\":\\"',
    "?key=",
    "&password=",
    "[redacted-1***",
    '"key"\\',
  ];
  const started = performance.now();
  for (const unit of units) {
    const text = unit.repeat(Math.ceil(1e6 / unit.length));
    redact(new Redactor(), "application/json", text);
    new Redactor().text(text);
  }
  ok(performance.now() - started < 30_000); // about 2 s; quadratic time would be hours
});
