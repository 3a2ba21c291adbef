import { deepEqual, equal } from "node:assert/strict";
import { type ComparedMessage, explainMessage } from "./explain_message.ts";

const place = { key: "k", seq: 4, number: 3 };

function message(text: string | null, kind: "text" | "binary" = "text"): ComparedMessage {
  return { kind, method: "GET", url: "https://api.example.com/live", text, bodyBytes: text?.length ?? 7 };
}

const reasons: readonly (readonly [ComparedMessage, ComparedMessage | null, reason: string, rule: string | null])[] = [
  [message('{"a":2}'), message('{"a":1}'), "is not the recorded one; what differs: #/a", "--ignore-json '#/a'"],
  [message("two"), message("one"), "is not the recorded one; what differs: message 3", null],
  [message("one", "binary"), message("one"), "is not the recorded one; what differs: kind", null],
  [
    message(null, "binary"),
    message(null, "binary"),
    "is not the recorded one; what differs: bytes that are not text",
    null,
  ],
  [message("one"), null, "is one more than was recorded", null],
];

for (const [asked, recorded, reason, rule] of reasons) {
  Deno.test(`explainMessage() says that ${JSON.stringify(asked.text)} ${reason}`, () => {
    const miss = explainMessage(asked, recorded, place);
    equal(miss.reason, `Message 3 of the WebSocket of step 4 ${reason}`);
    deepEqual([miss.key, miss.usedUp, miss.rule], ["k", 0, rule]);
  });
}

Deno.test("explainMessage() shows both values under the message's number", () => {
  const { nearest } = explainMessage(message('{"a":2}'), message('{"a":1}'), place);
  deepEqual(nearest[0]?.changes, [{ field: "message 3 #/a", recorded: "1", asked: "2" }]);
  equal(nearest[0]?.seq, 4);
});

Deno.test("explainMessage() shows the start of a message that is one too many", () => {
  const text = explainMessage(message("x".repeat(500)), null, place).nearest[0]?.changes[0];
  deepEqual([text?.recorded, text?.asked?.length], [null, 160]);
  equal(explainMessage(message(null), null, place).nearest[0]?.changes[0]?.asked, "7 bytes");
});
