import { equal } from "node:assert/strict";
import type { ResponseHead } from "../step/mod.ts";
import { explainUnsendable } from "./_unsendable.ts";

function head(changes: Partial<ResponseHead>): ResponseHead {
  return { status: 200, statusText: "OK", httpVersion: "1.1", headers: [], ...changes };
}

Deno.test("explainUnsendable() gives null when all is latin1 on one line", () => {
  const plain = head({ statusText: "Caf\xe9", headers: [["X-a.b", "\tb \xff"], ["x", ""]] });
  equal(explainUnsendable(plain, [["X-Sum", "1"]]), null);
});

for (const text of ["O\r\nK", "O\nK", "O\0K", "\u20ac"]) {
  const shown = JSON.stringify(text);
  Deno.test(`explainUnsendable() names a status text, a header, a trailer when it holds ${shown}`, () => {
    equal(explainUnsendable(head({ statusText: text }), []), `the status text ${shown}`);
    const named = `the header ${JSON.stringify(`a: ${text}`)}`;
    equal(explainUnsendable(head({ headers: [["b", "c"], ["a", text]] }), []), named);
    equal(explainUnsendable(head({}), [["a", text]]), named);
  });
}

for (const name of ["", "a b", "a:", "a\r\nb", "\xe9"]) {
  Deno.test(`explainUnsendable() names a header when its name is ${JSON.stringify(name)}`, () => {
    equal(explainUnsendable(head({ headers: [[name, "v"]] }), []), `the header ${JSON.stringify(`${name}: v`)}`);
  });
}
