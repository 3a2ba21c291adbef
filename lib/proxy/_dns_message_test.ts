import { Buffer } from "node:buffer";
import { deepEqual, equal } from "node:assert/strict";
import fc from "fast-check";
import { dnsQuery } from "../../tests/support/dns_query.ts";
import { dnsCode, dnsType, formatDnsAnswer, isOtherOperation, readDnsQuestion } from "./_dns_message.ts";

Deno.test("readDnsQuestion() reads name and type", () => {
  const question = readDnsQuestion(dnsQuery("API.Example.com", dnsType.aaaa));
  deepEqual([question?.id, question?.name, question?.type], [7, "api.example.com", dnsType.aaaa]);
});

Deno.test("readDnsQuestion() looks past what stands behind the question", () => {
  const withOptions = Buffer.concat([dnsQuery("a.test"), Buffer.from([0, 0, 41, 4, 208, 0, 0, 0, 0, 0, 0])]);
  equal(readDnsQuestion(withOptions)?.name, "a.test");
});

Deno.test("readDnsQuestion() gives null for what is cut short, at every length", () => {
  const query = dnsQuery("api.test");
  for (let end = 0; end < query.length; end++) equal(readDnsQuestion(query.subarray(0, end)), null);
});

Deno.test("readDnsQuestion() gives null for an answer and for a pointer", () => {
  equal(readDnsQuestion(dnsQuery("a.test", dnsType.a, 0x8180)), null);
  const pointer = Buffer.from(dnsQuery("a.test"));
  pointer[12] = 0xc0;
  equal(readDnsQuestion(pointer), null);
});

Deno.test("readDnsQuestion() survives any bytes", () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
    const question = readDnsQuestion(bytes);
    equal(question === null || question.name.length <= 253, true);
  }));
});

Deno.test("isOtherOperation() tells what is no query for records", () => {
  const [plain, notify] = [dnsQuery("a.test"), dnsQuery("a.test", dnsType.a, 0x2000)].map(readDnsQuestion);
  deepEqual([plain, notify].map((question) => question && isOtherOperation(question)), [false, true]);
});

Deno.test("formatDnsAnswer() says the question again, as it was asked, and gives the addresses", () => {
  const query = dnsQuery("Api.test");
  const question = readDnsQuestion(query);
  const answer = question && formatDnsAnswer(question, dnsCode.ok, [Uint8Array.of(198, 18, 0, 1)]);
  deepEqual(
    Buffer.from(answer ?? []).toString("hex"),
    "00078180000100010000000003417069047465737400" + "00010001" + "c00c00010001" + "0000003c" + "0004c6120001",
  );
});
