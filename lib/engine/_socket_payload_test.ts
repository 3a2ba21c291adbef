import { equal } from "node:assert/strict";
import { Buffer } from "node:buffer";
import { Redactor } from "../redact/mod.ts";
import { closePayload, opcodes } from "../wire/mod.ts";
import { redactPayload } from "./_socket_payload.ts";

const secret = "s3cretT0kenValue0123456789";

Deno.test("redactPayload() replaces the secret of a message, and keeps its length", () => {
  const message = Buffer.from(`{"api_key":"${secret}"}`);
  const clean = redactPayload(message, opcodes.text, new Redactor());
  equal(Buffer.from(clean).toString(), '{"api_key":"[redacted-1**************]"}');
});

Deno.test("redactPayload() replaces what is known in a close whose reason is no text, and keeps the code", () => {
  const redactor = new Redactor();
  redactor.learn(secret);
  const close = Buffer.concat([Buffer.from("0fa3ff", "hex"), Buffer.from(secret)]);
  const clean = Buffer.from(redactPayload(close, opcodes.close, redactor));
  equal(clean.toString("latin1"), "\x0f\xa3\xff[redacted-1**************]");
});

Deno.test("redactPayload() gives what holds no secret as it came", () => {
  const redactor = new Redactor();
  for (const reason of ["", "going away", `token=[redacted-1${"*".repeat(14)}]`]) {
    const close = closePayload(1000, reason);
    equal(redactPayload(close, opcodes.close, redactor), close, reason);
  }
  const noise = Buffer.from("ff00fe", "hex");
  equal(redactPayload(noise, opcodes.binary, redactor), noise);
  equal(redactPayload(noise, opcodes.close, redactor), noise);
});
