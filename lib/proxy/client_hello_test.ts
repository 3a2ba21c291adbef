import { Buffer } from "node:buffer";
import { deepEqual, equal, ok } from "node:assert/strict";
import net, { type AddressInfo } from "node:net";
import tls from "node:tls";
import fc from "fast-check";
import { type ClientHello, readClientHello } from "./client_hello.ts";

/** The first bytes that this runtime's TLS client sends. */
async function helloOf(options: tls.ConnectionOptions): Promise<Buffer> {
  const first = Promise.withResolvers<Buffer>();
  const server = net.createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", (bytes: Buffer) => {
      first.resolve(bytes);
      socket.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const client = tls.connect({ ...options, port, host: "127.0.0.1" });
  client.on("error", () => {});
  const bytes = await first.promise;
  client.destroy();
  await new Promise((resolve) => server.close(resolve));
  return bytes;
}

/** A block behind its own length. */
function block(lengthBytes: number, ...parts: (Buffer | string)[]): Buffer {
  const body = Buffer.concat(parts.map((part) => typeof part === "string" ? Buffer.from(part, "latin1") : part));
  const length = Buffer.alloc(lengthBytes);
  length.writeUIntBE(body.length, 0, lengthBytes);
  return Buffer.concat([length, body]);
}

const type = (value: number) => Buffer.from([value >> 8, value & 255]);

/** A hello by hand, in records of so many bytes. */
function buildHello({ name, protocols = [], recordBytes = 16384 }: {
  readonly name?: string;
  readonly protocols?: readonly string[];
  readonly recordBytes?: number;
}): Buffer {
  const sni = name === undefined ? [] : [type(0), block(2, block(2, "\0", block(2, name)))];
  const offers = protocols.map((protocol) => block(1, protocol));
  const alpn = protocols.length === 0 ? [] : [type(16), block(2, block(2, ...offers))];
  const extensions = block(2, type(10), block(2, "\0\0"), ...sni, ...alpn);
  const message = [type(0x0303), Buffer.alloc(32), block(1, "id"), block(2, "\x13\x01"), block(1, "\0"), extensions];
  const handshake = Buffer.concat([Buffer.from([1]), block(3, ...message)]);
  const records: Buffer[] = [];
  for (let at = 0; at < handshake.length; at += recordBytes) {
    records.push(Buffer.from([22, 3, 1]), block(2, handshake.subarray(at, at + recordBytes)));
  }
  return Buffer.concat(records);
}

const whole: ClientHello = { serverName: "api.test", protocols: ["h2", "http/1.1"] };
const built = { name: "API.test", protocols: ["h2", "http/1.1"] };

Deno.test("readClientHello() reads name and protocols from a real client's hello", async () => {
  const bytes = await helloOf({ servername: "api.test", ALPNProtocols: ["h2", "http/1.1"] });
  deepEqual(readClientHello(bytes), { kind: "hello", hello: whole });
});

Deno.test("readClientHello() gives no name when the client sends none", () => {
  deepEqual(readClientHello(buildHello({})), { kind: "hello", hello: { serverName: null, protocols: [] } });
});

Deno.test("readClientHello() wants more at every split point, and then reads the same", () => {
  for (const recordBytes of [16384, 40, 7, 1]) {
    const bytes = buildHello({ ...built, recordBytes });
    for (let end = 0; end < bytes.length; end++) {
      equal(readClientHello(bytes.subarray(0, end)).kind, "more", `after ${end} bytes of records of ${recordBytes}`);
    }
    deepEqual(readClientHello(bytes), { kind: "hello", hello: whole });
    deepEqual(readClientHello(Buffer.concat([bytes, Buffer.from([20, 3, 3, 0, 1, 1])])), {
      kind: "hello",
      hello: whole,
    });
  }
});

for (const text of ["GET / HTTP/1.1", "SSH-2.0", "\x16\x02\x00", "\x16\x03\x01\x00\x01\x02", "\x17\x03\x03"]) {
  Deno.test(`readClientHello() says not_tls when it gets ${JSON.stringify(text)}`, () => {
    equal(readClientHello(Buffer.from(text, "latin1")).kind, "not_tls");
  });
}

Deno.test("readClientHello() says not_tls when another record cuts the hello short", () => {
  const bytes = buildHello({ ...built, recordBytes: 40 });
  equal(readClientHello(Buffer.concat([bytes.subarray(0, 45), Buffer.from([23, 3, 3, 0, 0])])).kind, "not_tls");
});

Deno.test("readClientHello() does not want more for ever, whatever it is given", () => {
  const empty = Buffer.concat(Array<Buffer>(20_000).fill(Buffer.from([22, 3, 1, 0, 0])));
  equal(readClientHello(empty).kind, "not_tls");
  const endless = Buffer.concat([Buffer.from([22, 3, 1, 255, 255, 1, 255, 255, 255]), Buffer.alloc(70_000)]);
  equal(readClientHello(endless).kind, "not_tls");
});

Deno.test("readClientHello() reads mutated and random bytes without throwing, and splits do not change the result", () => {
  const original = buildHello(built);
  const mutated = fc.array(fc.tuple(fc.nat({ max: original.length - 1 }), fc.nat({ max: 255 })), { maxLength: 6 })
    .map((changes) => {
      const bytes = Buffer.from(original);
      for (const [at, value] of changes) bytes[at] = value;
      return bytes;
    });
  const random = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes));
  fc.assert(
    fc.property(fc.oneof(mutated, random), fc.nat({ max: 300 }), (bytes, cut) => {
      const early = readClientHello(bytes.subarray(0, cut));
      const late = readClientHello(bytes);
      ok(early.kind === "more" || early.kind === late.kind);
      if (early.kind === "hello") deepEqual(late, early);
    }),
    { numRuns: 500 },
  );
});

Deno.test("readClientHello() reads a hello that was mutated, cut anywhere, without throwing or wanting more at its end", () => {
  const original = buildHello({ ...built, recordBytes: 50 });
  const change = fc.tuple(fc.nat({ max: original.length - 1 }), fc.nat({ max: 255 }));
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), (changes) => {
      const bytes = Buffer.from(original);
      for (const [at, value] of changes) bytes[at] = value;
      const kinds = Array.from({ length: bytes.length + 1 }, (_, end) => readClientHello(bytes.subarray(0, end)).kind);
      // Once it has decided, it stays with it, however much more comes.
      const first = kinds.findIndex((kind) => kind !== "more");
      ok(first === -1 || kinds.slice(first).every((kind) => kind === kinds[first]), kinds.join(" "));
    }),
    { numRuns: 200 },
  );
});

Deno.test("readClientHello() gives an end to a hello that never ends, in records of every size", () => {
  for (const recordBytes of [1, 100, 16384, 65535]) {
    const header = Buffer.from([22, 3, 1, recordBytes >> 8, recordBytes & 255]);
    const first = Buffer.alloc(recordBytes, 1);
    const rest = Buffer.concat([header, Buffer.alloc(recordBytes, 255)]);
    const bytes = Buffer.concat([header, first, ...Array<Buffer>(Math.ceil(70_000 / recordBytes)).fill(rest)]);
    ok(readClientHello(bytes).kind !== "more", `records of ${recordBytes}`);
  }
});
