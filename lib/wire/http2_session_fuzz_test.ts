/** Whatever is read, in whatever pieces: the same is told, and nothing but the connection breaks. */
import { deepEqual, ok } from "node:assert/strict";
import { Buffer } from "node:buffer";
import fc from "fast-check";
import { Http2Peer } from "../../tests/support/http2_peer.ts";
import {
  endHeaders,
  field,
  frame,
  get,
  kind,
  last,
  postHead,
  preface,
  requestBlock,
  settings,
  word,
} from "../../tests/support/raw_http2.ts";

const kept = Buffer.concat([Buffer.from([0x40]), field("x-kept", "yes").subarray(1)]);

/** A conversation with a bit of everything that a client may say. */
const asServer = Buffer.concat([
  preface,
  settings([1, 0], [3, 100], [4, 1000], [99, 1]),
  frame(kind.settings, last, 0),
  get(1, "/one"),
  postHead(3, "/two"),
  frame(kind.priority, 0, 5, "\0\0\0\0\x10"),
  frame(kind.data, 8, 3, "\x03hello\0\0\0"),
  frame(kind.ping, 0, 0, "12345678"),
  frame(kind.data, 0, 3, ""),
  frame(kind.data, 0, 3, " you"),
  frame(kind.headers, endHeaders | last, 3, field("trailer", "t")),
  frame(kind.headers, last, 5, requestBlock("/three").subarray(0, 7)),
  frame(kind.continuation, 0, 5, requestBlock("/three").subarray(7)),
  frame(kind.continuation, endHeaders, 5, kept),
  frame(kind.headers, endHeaders, 7, Buffer.concat([requestBlock("/four", "PUT"), Buffer.from([0xbe])])),
  frame(kind.windowUpdate, 0, 0, word(500)),
  frame(kind.windowUpdate, 0, 7, word(500)),
  frame(kind.data, 0, 7, "cut"),
  frame(kind.reset, 0, 7, word(8)),
  frame(0xfa, 3, 77, "unknown"),
  frame(kind.goaway, 0, 0, "\0\0\0\0\0\0\0\0bye"),
]);

/** What a server may say to three requests. */
const asClient = Buffer.concat([
  settings([3, 100]),
  frame(kind.headers, endHeaders, 1, Buffer.concat([field(":status", "103"), field("link", "</a>")])),
  frame(kind.headers, endHeaders, 1, Buffer.from([0x88])),
  frame(kind.headers, endHeaders | last, 3, Buffer.from([0x8d])),
  frame(kind.data, 0, 1, "one"),
  frame(kind.data, last, 1, "two"),
  frame(kind.reset, 0, 5, word(2)),
  frame(kind.goaway, 0, 0, Buffer.concat([word(5), word(0)])),
]);

const conversations = { server: asServer, client: asClient } as const;
type Role = keyof typeof conversations;
const roles = ["server", "client"] as const;

/** What a session tells and says when it reads these pieces; a server answers each request with a little. */
function read(role: Role, pieces: readonly Uint8Array[]) {
  const peer = new Http2Peer(role);
  if (role === "client") { for (let count = 0; count < 3; count++) peer.open(); }
  for (const piece of pieces) peer.send(piece);
  return { peer, told: [...peer.events], said: peer.frames() };
}

for (const role of roles) {
  const bytes = conversations[role];
  const { told: whole, said } = read(role, [bytes]);

  Deno.test(`Http2Session, a ${role}'s, tells and says the same when what it reads is cut in two, at every place`, () => {
    ok(whole.length >= 7, whole.join("\n"));
    for (let cut = 0; cut <= bytes.length; cut++) {
      const cuts = read(role, [bytes.subarray(0, cut), bytes.subarray(cut)]);
      deepEqual([cuts.told, cuts.said], [whole, said], `cut at ${cut}`);
    }
  });

  Deno.test(`Http2Session, a ${role}'s, tells and says the same when it reads byte by byte`, () => {
    const single = read(role, [...bytes].map((byte) => Buffer.from([byte])));
    deepEqual([single.told, single.said], [whole, said]);
  });

  Deno.test(`Http2Session, a ${role}'s, tells and says the same whatever pieces it reads`, () => {
    fc.assert(fc.property(fc.array(fc.nat({ max: bytes.length }), { maxLength: 30 }), (at) => {
      const cuts = [0, ...at.sort((a, b) => a - b), bytes.length];
      const pieces = cuts.slice(1).map((to, index) => bytes.subarray(cuts[index], to));
      const { told, said: saidNow } = read(role, pieces);
      deepEqual([told, saidNow], [whole, said]);
    }));
  });

  Deno.test(`Http2Session, a ${role}'s, throws nothing and ends once at most, whatever bytes of a conversation are others`, () => {
    fc.assert(
      fc.property(fc.array(mutation(bytes.length), { minLength: 1, maxLength: 8 }), (mutations) => {
        holdsTogether(role, mutations.reduce(mutated, bytes));
      }),
      { numRuns: 3000 },
    );
  });

  Deno.test(`Http2Session, a ${role}'s, throws nothing and ends once at most, whatever frames come`, () => {
    fc.assert(
      fc.property(fc.array(anyFrame, { maxLength: 40 }), (frames) => {
        holdsTogether(role, Buffer.concat([...(role === "server" ? [preface] : []), settings(), ...frames]));
      }),
      { numRuns: 1500 },
    );
  });
}

/** Reads bytes; then every owner uses its stream, as owners do who know of nothing. */
function holdsTogether(role: Role, bytes: Buffer): void {
  const { peer } = read(role, [bytes]);
  for (const stream of peer.streams.values()) {
    stream.sendHeaders([[":status", "200"]], false);
    void stream.sendData(Buffer.from("x".repeat(2000)));
    stream.consumed(10);
    stream.end([["t", "u"]]);
  }
  peer.send(frame(kind.windowUpdate, 0, 0, word(1)), frame(kind.ping, 0, 0, "12345678"));
  peer.session.lose();
  deepEqual([peer.events.filter((event) => event.startsWith("end: ")).length, peer.session.openStreams], [1, 0]);
  ok([...peer.streams.values()].every(({ closed }) => closed));
  for (const stream of peer.streams.keys()) {
    const resets = peer.events.filter((event) => event.startsWith(`${stream} reset`));
    ok(resets.length <= 1, resets.join());
  }
}

type Mutation = readonly [kind: "set" | "insert" | "remove" | "double", at: number, value: number];

function mutation(length: number): fc.Arbitrary<Mutation> {
  const kinds = fc.constantFrom("set" as const, "insert" as const, "remove" as const, "double" as const);
  return fc.tuple(kinds, fc.nat({ max: length - 1 }), fc.nat({ max: 255 }));
}

function mutated(bytes: Buffer, [how, at, value]: Mutation): Buffer {
  const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)];
  if (how === "insert") return Buffer.concat([before, Buffer.from([value]), after]);
  if (how === "remove") return Buffer.concat([before, after.subarray(1 + value % 20)]);
  if (how === "double") return Buffer.concat([before, after.subarray(0, value), after]);
  const changed = Buffer.from(bytes);
  if (at < changed.length) changed[at] = value;
  return changed;
}

const blocks = fc.oneof(
  fc.constantFrom(requestBlock("/"), requestBlock("/", "POST", kept), Buffer.from([0x88]), Buffer.from([0xbe])),
  fc.uint8Array({ maxLength: 30 }).map((bytes) => Buffer.from(bytes)),
);
const anyFrame = fc.tuple(fc.nat({ max: 11 }), fc.nat({ max: 63 }), fc.nat({ max: 12 }), blocks, fc.boolean())
  .map(([type, flags, streamId, payload, sized]) => {
    const size =
      { [kind.reset]: 4, [kind.windowUpdate]: 4, [kind.ping]: 8, [kind.priority]: 5, [kind.settings]: 6 }[type];
    const fitting = sized && size !== undefined
      ? Buffer.concat([payload, Buffer.alloc(size)]).subarray(0, size)
      : payload;
    return frame(type, flags, streamId, fitting);
  });
