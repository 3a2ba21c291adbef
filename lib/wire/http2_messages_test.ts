import { deepEqual, equal, match } from "node:assert/strict";
import type { Header } from "../step/mod.ts";
import { lowerCased, readRequestHead, readResponseHead, readTrailers } from "./http2_messages.ts";

const get: readonly Header[] = [[":method", "GET"], [":scheme", "https"], [":path", "/a?b"], [":authority", "a.test"]];

function but(name: string, value: string): Header[] {
  return get.map(([known, was]) => [known, known === name ? value : was]);
}

/** What is wrong, or nothing. */
function wrong(reading: object): string {
  return "malformed" in reading ? String(reading.malformed) : "nothing";
}

Deno.test("readRequestHead() takes the pseudo-header fields apart from the others", () => {
  deepEqual(readRequestHead([...get, ["a", "b"], ["a", "c"], ["content-length", "7"]]), {
    method: "GET",
    scheme: "https",
    path: "/a?b",
    authority: "a.test",
    bodyBytes: 7,
    headers: [["a", "b"], ["a", "c"], ["content-length", "7"]],
  });
});

Deno.test("readRequestHead() takes a request that names no authority, any order, an asterisk, bytes beyond ASCII", () => {
  const heads = [get.slice(0, 3), get.toReversed(), but(":path", "*"), but(":path", "/\xc3\xa0\xa0")];
  deepEqual(heads.map((fields) => wrong(readRequestHead(fields))), ["nothing", "nothing", "nothing", "nothing"]);
});

const malformed: Readonly<Record<string, readonly [reason: RegExp, fields: readonly Header[]]>> = {
  "no method": [/without a method/, get.slice(1)],
  "a method that is no token": [/without a method/, but(":method", "GE T")],
  "CONNECT": [/CONNECT/, but(":method", "CONNECT")],
  "no scheme": [/without a scheme/, get.filter(([name]) => name !== ":scheme")],
  "no path": [/without a path/, get.filter(([name]) => name !== ":path")],
  "an empty path": [/without a path/, but(":path", "")],
  "a URL for a path": [/without a path/, but(":path", "https://b.test/")],
  "a path with a space": [/without a path/, but(":path", "/a b")],
  "a path with a fragment": [/without a path/, but(":path", "/a#b")],
  "a path with a control character": [/without a path/, but(":path", "/a\x01")],
  "a pseudo-header field twice": [/":path" where/, [...get, [":path", "/"]]],
  "a pseudo-header field behind others": [/":path" where/, [...get.filter(([name]) => name !== ":path"), ["a", "b"], [
    ":path",
    "/",
  ]]],
  "a pseudo-header field of a response": [/":status" where/, [...get, [":status", "200"]]],
  "a pseudo-header field that nobody knows": [/":protocol" where/, [...get, [":protocol", "websocket"]]],
  "a name in upper case": [/name "A"/, [...get, ["A", "b"]]],
  "an empty name": [/name ""/, [...get, ["", "b"]]],
  "a name with a line break": [/name/, [...get, ["a\r\nb", "c"]]],
  "a value with a line feed": [/value of "a"/, [...get, ["a", "b\nc"]]],
  "a value with a carriage return": [/value of "a"/, [...get, ["a", "b\rc"]]],
  "a value with a NUL": [/value of "a"/, [...get, ["a", "b\0c"]]],
  "a value that begins with a space": [/value of "a"/, [...get, ["a", " b"]]],
  "a value that ends with a tab": [/value of "a"/, [...get, ["a", "b\t"]]],
  "a te that asks for more than trailers": [/"te"/, [...get, ["te", "gzip"]]],
  "a length with a sign": [/content-length/, [...get, ["content-length", "+1"]]],
  "a list of lengths": [/content-length/, [...get, ["content-length", "1, 1"]]],
  "two lengths that differ": [/content-length/, [...get, ["content-length", "1"], ["content-length", "2"]]],
  "a length of 20 digits": [/content-length/, [...get, ["content-length", "1".repeat(20)]]],
};

for (const [what, [reason, fields]] of Object.entries(malformed)) {
  Deno.test(`readRequestHead() calls a request malformed that has ${what}`, () => {
    match(wrong(readRequestHead(fields)), reason);
  });
}

for (const name of ["connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade"]) {
  Deno.test(`readRequestHead() calls a request malformed that has a "${name}"`, () => {
    equal(wrong(readRequestHead([...get, [name, "a"]])), `the field "${name}"`);
  });
}

Deno.test("readRequestHead() takes a te of trailers in any case, and one length said twice", () => {
  equal(
    wrong(readRequestHead([...get, ["te", "Trailers"], ["content-length", "1"], ["content-length", "1"]])),
    "nothing",
  );
});

Deno.test("readResponseHead() takes a status of three digits and nothing else", () => {
  const of = (status: string) => wrong(readResponseHead([[":status", status]]));
  deepEqual(["100", "200", "999"].map(of), ["nothing", "nothing", "nothing"]);
  for (const status of ["", "99", "099", "1000", "2xx", " 200", "+20"]) match(of(status), /status|value/);
  match(wrong(readResponseHead([["a", "b"]])), /a status of ""/);
  match(wrong(readResponseHead([[":status", "200"], [":path", "/"]])), /":path" where/);
});

Deno.test("readTrailers() takes no pseudo-header field", () => {
  deepEqual(readTrailers([["a", "b"]]), { pseudo: new Map(), headers: [["a", "b"]] });
  match(wrong(readTrailers([[":status", "200"]])), /":status" where/);
});

Deno.test("lowerCased() changes names and nothing else", () => {
  deepEqual(lowerCased([["X-A", "B"], ["x-a", "C"]]), [["x-a", "B"], ["x-a", "C"]]);
});
