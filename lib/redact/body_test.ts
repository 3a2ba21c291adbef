import { equal, ok } from "node:assert/strict";
import { Buffer } from "node:buffer";
import { Redactor } from "./redactor.ts";

const encoder = new TextEncoder();
const jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U";

/** Redacts a body that comes in two chunks. */
function redact(text: string, contentType?: string, redactor = new Redactor(), cut = 0) {
  const bytes = encoder.encode(text);
  const body = redactor.body(contentType);
  const pieces = [...body.push(bytes.subarray(0, cut)), ...body.push(bytes.subarray(cut)), ...body.end()];
  const stored = Buffer.concat(pieces.map((piece) => piece.stored)).toString("utf8");
  const keyed = pieces.map((piece) => piece.secret ? "[redacted]" : Buffer.from(piece.stored).toString("latin1")).join(
    "",
  );
  return { stored, keyed: Buffer.from(keyed, "latin1").toString("utf8"), found: body.found };
}

const secretBodies: readonly (readonly [what: string, contentType: string, text: string, keyed: string])[] = [
  ["a member", "application/json", '{"api_key":"x"}', '{"api_key":"[redacted]"}'],
  ["a member in camel case", "application/json", '{"accessToken" : "x"}', '{"accessToken" : "[redacted]"}'],
  ["a member with a prefix", "application/json", '{"OPENAI_API_KEY":"x"}', '{"OPENAI_API_KEY":"[redacted]"}'],
  ["a value with escapes", "application/json", '{"password":"a\\"b\\\\"}', '{"password":"[redacted]"}'],
  [
    "JSON in JSON",
    "application/json",
    '{"a":"{\\"password\\":\\"x\\\\\\"y\\"}"}',
    '{"a":"{\\"password\\":\\"[redacted]\\"}"}',
  ],
  [
    "the value of a member that is an object",
    "application/json",
    '{"client_secret": {\n  "value": "hello", "expires_at": 12}, "a": "b"}',
    '{"client_secret": {\n  "value": "[redacted]", "expires_at": 12}, "a": "b"}',
  ],
  [
    "the value of an object in JSON in JSON",
    "application/json",
    '{"a":"{\\"password\\":{\\"value\\":\\"x\\"}}"}',
    '{"a":"{\\"password\\":{\\"value\\":\\"[redacted]\\"}}"}',
  ],
  [
    "an ephemeral key that only its shape tells",
    "application/json",
    '{"value":"ek_68af296e8e408191a1120ab6383263c2"}',
    '{"value":"[redacted]"}',
  ],
  ["an event's data", "text/event-stream", 'data: {"id_token":"x"}\n\n', 'data: {"id_token":"[redacted]"}\n\n'],
  ["headers as JSON", "application/json", '{"authorization":"Bearer x"}', '{"authorization":"Bearer [redacted]"}'],
  ["a random token", "application/json", '{"token":"a1b2c3d4e5f6a7b8"}', '{"token":"[redacted]"}'],
  ["a JWT", "application/json", `{"x":"${jwt}"}`, '{"x":"[redacted]"}'],
  ["a JWT as a member", "application/json", `{"id_token":"${jwt}"}`, '{"id_token":"[redacted]"}'],
  ["a link", "text/html", '<a href="/x?sig=0123456789abcdef&amp;a=1">', '<a href="/x?sig=[redacted]&amp;a=1">'],
  ["a database's URL", "text/plain", "postgres://me:pw@db/x", "postgres://me:[redacted]@db/x"],
  ["a form", "application/x-www-form-urlencoded", "a=1&client_secret=x%20y&b=2", "a=1&client_secret=[redacted]&b=2"],
  ["a form's first field", "application/x-www-form-urlencoded; charset=UTF-8", "token=x", "token=[redacted]"],
  ["a nested form field", "application/x-www-form-urlencoded", "user[password]=x", "user[password]=[redacted]"],
  ["a body cut off", "application/json", '{"password":"abc', '{"password":"[redacted]'],
];

for (const [what, contentType, text, keyed] of secretBodies) {
  Deno.test(`push() redacts ${what}, at every split point`, () => {
    for (let cut = 0; cut <= text.length; cut++) equal(redact(text, contentType, new Redactor(), cut).keyed, keyed);
  });
}

const plainBodies: readonly (readonly [what: string, text: string])[] = [
  ["logprobs", '{"token":"Hello","logprob":-0.1}'],
  ["limits", '{"max_tokens":100,"total_tokens":"12"}'],
  ["cursors", '{"next_page_token":"CAoSBkFCQ0QxMjM0NTY3ODkw"}'],
  ["keys of a keyboard", '{"key":"Enter"}'],
  ["signatures of thinking blocks", '{"signature":"EqQBCkYIARgCIkD0123456789abcdef"}'],
  ["empty values", '{"api_key":"","password":""}'],
  [
    "objects that stand for no value",
    '{"password":{"valued":"x"},"api_key":{"a":"value"},"client_secret":{"value":1}}',
  ],
  ["modes in an object", '{"auth":{"value":"none"},"token":{"value":"Hello"}}'],
  ["values that are no strings", '{"api_key":null,"password":{"type":"string"},"secret_key":12}'],
  ["names that only end alike", '{"invalid_token":"a1b2c3d4e5f6a7b8c9","monkey":"x"}'],
  ["dates named as tokens", '{"token":"2026-11-20T09:12:33.120Z"}'],
];

for (const [what, text] of plainBodies) {
  Deno.test(`push() leaves ${what} alone`, () => {
    equal(redact(text, "application/json").stored, text);
    equal(redact(text, "application/json").keyed, text);
  });
}

Deno.test("push() redacts a part of a multipart body, at every split point", () => {
  const part = (value: string) =>
    `--XX\r\nContent-Disposition: form-data; name="api_key"\r\n\r\n${value}\r\n--XX--\r\n`;
  const text = part("line\r\nline");
  for (let cut = 0; cut <= text.length; cut++) {
    equal(redact(text, 'multipart/form-data; boundary="XX"', new Redactor(), cut).keyed, part("[redacted]"));
  }
});

Deno.test("push() keeps back a secret of 8 KiB that straddles chunks", () => {
  const body = new Redactor().body("application/json");
  const early = body.push(encoder.encode(`{"private_key":"${"k3".repeat(2048)}`));
  ok(early.every((piece) => !Buffer.from(piece.stored).includes("k3")));
  const rest = [...body.push(encoder.encode("k3".repeat(2048))), ...body.push(encoder.encode('"}')), ...body.end()];
  ok(rest.every((piece) => !Buffer.from(piece.stored).includes("k3")));
  equal(rest.filter((piece) => piece.secret)[0]?.stored.length, 8192);
});

Deno.test("push() finds a value again that it redacted before in the same body", () => {
  const { keyed, found } = redact('{"api_key":"abcdef0123456789","echo":"xabcdef0123456789x"}');
  equal(keyed, '{"api_key":"[redacted]","echo":"x[redacted]x"}');
  equal(found, 2);
});

Deno.test("push() gives out at once what cannot be part of a secret", () => {
  const pieces = new Redactor().body("text/plain").push(encoder.encode("x".repeat(5000)));
  ok(pieces.reduce((sum, piece) => sum + piece.stored.length, 0) > 4800);
});

Deno.test("push() takes a chunk larger than its slices", () => {
  const text = `${" ".repeat((1 << 20) - 8)}{"password":"${"p".repeat(100)}"}`;
  equal(redact(text).keyed.trim(), '{"password":"[redacted]"}');
});

Deno.test("push() does not count a placeholder as found", () => {
  equal(redact('{"api_key":"[redacted-3**]"}').found, 0);
});

Deno.test("push() changes no byte of a body that is not text", () => {
  const bytes = Uint8Array.from({ length: 4096 }, (_, index) => (index * 167) % 256);
  const body = new Redactor().body("image/png");
  const pieces = [...body.push(bytes), ...body.end()];
  equal(Buffer.compare(Buffer.concat(pieces.map((piece) => piece.stored)), bytes), 0);
});
