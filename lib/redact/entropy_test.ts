import { deepEqual, equal, ok } from "node:assert/strict";
import { entropyBits, randomTokens } from "./entropy.ts";

const random = "q7Rz2mK9xB4vT6nW8cY3hJ5dFgLp";

Deno.test("randomTokens() finds a random token behind a name that speaks of a secret", () => {
  for (const before of ['{"vendor_key":"', '{\\"x_secret\\":\\"', "?authcode=", "Session: ", "private_thing = '"]) {
    deepEqual(randomTokens(`${before}${random}"`, false), [{
      start: before.length,
      end: before.length + random.length,
    }]);
  }
});

Deno.test("randomTokens() leaves alone what names things", () => {
  const texts = [
    `{"id":"${random}"}`,
    `{"next_page_token":"${random}"}`,
    `{"signature":"${random}"}`,
    `{"idempotency-key":"${random}"}`,
    '{"api_key_id":"4f2b8c1d9e3a7f605b4f2b8c1d9e3a7f"}',
    '{"token":"this-is-a-slug-of-many-words-Of-2026"}',
    "sha512-" + random.repeat(8),
  ];
  for (const text of texts) deepEqual(randomTokens(text, false), [], text);
});

Deno.test("randomTokens() leaves alone what vendors' answers are full of", () => {
  const answers = [
    { id: `chatcmpl-${random}`, system_fingerprint: `fp_${random}`, tool_calls: [{ id: `call_${random}` }] },
    { type: "thinking", signature: random.repeat(3), encrypted_content: random.repeat(3), thoughtSignature: random },
    { previous_response_id: `resp_${random}`, prompt_cache_key: random, safety_identifier: random },
    { nextPageToken: random, next_cursor: random, etag: random, continuationToken: random },
    { image: `data:image/png;base64,${random.repeat(4)}`, url: `https://cdn.example.com/${random}.js` },
  ];
  for (const answer of answers) deepEqual(randomTokens(JSON.stringify(answer), false), []);
});

Deno.test("randomTokens() finds any random token where there should be none", () => {
  equal(randomTokens(`tool ${random} --flag`, true).length, 1);
  equal(randomTokens("tool --output /home/me/Some/Long/Path/To/File2026v2 --flag", true).length, 0);
});

Deno.test("entropyBits() is 0 for one letter and 2 for four", () => {
  equal(entropyBits("aaaa"), 0);
  equal(entropyBits("abcd"), 2);
  ok(entropyBits(random) > 4.5);
});
