/** Requests that two servers could read in two ways: each is refused, and nothing behind it is ever read as a request. */
import { deepEqual, match, ok } from "node:assert/strict";
import { RawSocket } from "../support/raw_socket.ts";
import { openDoor } from "./door.ts";
import { whileOthersAsk } from "./witness.ts";

const first = "POST http://a.test/first HTTP/1.1\r\nHost: a.test\r\n";
const smuggled = "GET http://a.test/smuggled HTTP/1.1\r\nHost: a.test\r\n\r\n";
const chunked = "Transfer-Encoding: chunked\r\n";

const shapes: Readonly<Record<string, string>> = {
  "a length and chunks": `${first}Content-Length: 4\r\n${chunked}\r\n0\r\n\r\n`,
  "chunks and a length": `${first}${chunked}Content-Length: 4\r\n\r\n0\r\n\r\n`,
  "two lengths that differ": `${first}Content-Length: 0\r\nContent-Length: 90\r\n\r\n`,
  "two lengths that agree": `${first}Content-Length: 2\r\nContent-Length: 2\r\n\r\nab`,
  "a list of lengths": `${first}Content-Length: 2, 2\r\n\r\nab`,
  "a signed length": `${first}Content-Length: +2\r\n\r\nab`,
  "a hexadecimal length": `${first}Content-Length: 0x2\r\n\r\nab`,
  "an empty length": `${first}Content-Length: \r\n\r\n`,
  "a length folded over lines": `${first}Content-Length:\r\n 2\r\n\r\nab`,
  "a header folded over lines": `${first}X-A: b\r\n\tContent-Length: 90\r\n\r\n`,
  "a space before the colon": `${first}Content-Length : 2\r\n\r\nab`,
  "a tab before the colon": `${first}Transfer-Encoding\t: chunked\r\n\r\n0\r\n\r\n`,
  "a coding that is almost chunked": `${first}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`,
  "a coding in quotes": `${first}Transfer-Encoding: "chunked"\r\n\r\n0\r\n\r\n`,
  "an empty coding": `${first}Transfer-Encoding: \r\n\r\n0\r\n\r\n`,
  "identity before chunked": `${first}Transfer-Encoding: identity, chunked\r\n\r\n0\r\n\r\n`,
  "chunked in two headers": `${first}${chunked}${chunked}\r\n0\r\n\r\n`,
  "chunks in HTTP/1.0": first.replace("1.1", "1.0") + `${chunked}\r\n0\r\n\r\n`,
  "a bare line feed behind a header": `${first}X-A: b\nContent-Length: 90\r\n\r\n`,
  "bare line feeds alone": first.replaceAll("\r", "") + "\n",
  "a bare carriage return in a header": `${first}X-A: b\rContent-Length: 90\r\n\r\n`,
  "a NUL in a header": `${first}X-A: b\0\r\n\r\n`,
  "a NUL in a name": `${first}X\0A: b\r\n\r\n`,
  "a header without a colon": `${first}Content-Length\r\n\r\n`,
  "a space before the first header": first.replace("Host", " Host") + "\r\n",
  "two hosts": `${first}Host: b.test\r\n\r\n`,
  "a tab in the request line": first.replace(" HTTP", "\tHTTP") + "\r\n",
  "two spaces in the request line": first.replace(" HTTP", "  HTTP") + "\r\n",
  "no version": "GET http://a.test/first\r\n\r\n",
  "a version of two digits": first.replace("1.1", "1.10") + "\r\n",
  "a chunk's size with a sign": `${first}${chunked}\r\n+1\r\na\r\n0\r\n\r\n`,
  "a chunk's size with 0x": `${first}${chunked}\r\n0x1\r\na\r\n0\r\n\r\n`,
  "a chunk's size with an underscore": `${first}${chunked}\r\n1_0\r\na\r\n0\r\n\r\n`,
  "a chunk's size of 20 digits": `${first}${chunked}\r\n${"0".repeat(19)}1\r\na\r\n0\r\n\r\n`,
  "a chunk's size behind a space": `${first}${chunked}\r\n 1\r\na\r\n0\r\n\r\n`,
  "a chunk's size that ends in a bare line feed": `${first}${chunked}\r\n1\na\r\n0\r\n\r\n`,
  "a bare line feed in a chunk's extension": `${first}${chunked}\r\n1;x\ny\r\na\r\n0\r\n\r\n`,
  "a chunk that ends in a bare line feed": `${first}${chunked}\r\n1\r\na\n0\r\n\r\n`,
  "a chunk longer than its size": `${first}${chunked}\r\n1\r\nabc\r\n0\r\n\r\n`,
  "a trailer folded over lines": `${first}${chunked}\r\n0\r\nT: a\r\n b\r\n\r\n`,
  "a trailer with a bare line feed": `${first}${chunked}\r\n0\r\nT: a\nU: b\r\n\r\n`,
};

for (const [name, text] of Object.entries(shapes)) {
  Deno.test(`a door refuses ${name}, and asks nothing for it`, async () => {
    await using door = await openDoor();
    await using client = await RawSocket.connect(door.port);
    client.send(text + smuggled);
    match(await client.rest(), /^HTTP\/1\.1 (?:400|501) [^\r]+\r\nx-agrepl: refused\r\n[^]*\r\n\r\n$/);
    deepEqual([door.asked, door.notices.map(({ kind }) => kind)], [[], ["refused"]]);
  });
}

Deno.test("a door refuses every shape in a tunnel as well, one byte at a time, while others are served", async () => {
  await using door = await openDoor();
  const { port, authority: { certificatePem } } = door;
  const answers = await whileOthersAsk(
    { port, certificatePem },
    () =>
      Promise.all(
        Object.values(shapes).map(async (text) => {
          await using tunnel = await RawSocket.tunnel(port, "a.test:80");
          for (const byte of text.replaceAll("http://a.test", "").slice(0, 120)) tunnel.send(byte);
          tunnel.send(text.replaceAll("http://a.test", "").slice(120) + smuggled.replace("http://a.test", ""));
          return await tunnel.rest();
        }),
      ),
  );
  for (const answer of answers) match(answer, /^HTTP\/1\.1 (?:400|501) /);
  ok(door.asked.every((asked) => asked.includes("witness.test")), door.asked.join("\n"));
});
