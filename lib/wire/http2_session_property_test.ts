/** Two sessions of ours against each other: whatever the order of things, all arrives, and no window is exceeded. */
import { deepEqual, equal, ok } from "node:assert/strict";
import { Buffer } from "node:buffer";
import fc from "fast-check";
import { SessionPair, type StreamEnd } from "../../tests/support/session_pair.ts";

/** One side of a stream that is driven, and what it has sent. */
interface Driven {
  readonly end: StreamEnd;
  sent: string;
  trailers: string | null;
}

type Move =
  | { readonly kind: "open" }
  | { readonly kind: "carry"; readonly to: "client" | "server"; readonly bytes: number }
  | { readonly kind: "send" | "consume"; readonly of: number; readonly bytes: number }
  | { readonly kind: "end"; readonly of: number; readonly trailers: boolean }
  | { readonly kind: "reset"; readonly of: number };

const of = fc.nat({ max: 40 });
const carry = fc.record({
  kind: fc.constant("carry" as const),
  to: fc.constantFrom("client" as const, "server" as const),
  bytes: fc.oneof(fc.integer({ min: 1, max: 30 }), fc.constant(100_000)),
});
const work = fc.record({ kind: fc.constantFrom("send" as const, "consume" as const), of, bytes: fc.nat({ max: 400 }) });
const end = fc.record({ kind: fc.constant("end" as const), of, trailers: fc.boolean() });
const moves: fc.Arbitrary<Move[]> = fc.array(
  fc.oneof(
    { arbitrary: fc.record({ kind: fc.constant("open" as const) }), weight: 2 },
    { arbitrary: carry, weight: 6 },
    { arbitrary: work, weight: 8 },
    { arbitrary: end, weight: 2 },
    { arbitrary: fc.record({ kind: fc.constant("reset" as const), of }), weight: 1 },
  ),
  { minLength: 20, maxLength: 200 },
);
const windowBytes = fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 10, max: 300 }));

/** A pair, and all that was done with it. */
class Drive {
  readonly pair: SessionPair;
  /** Both sides of all streams, in the order of their beginning. */
  readonly sides: Driven[] = [];
  readonly #answered = new Set<StreamEnd>();

  constructor(clientWindowBytes: number, serverWindowBytes: number) {
    this.pair = new SessionPair({ clientWindowBytes, serverWindowBytes, streamLimit: 1000 });
    this.pair.settle(); // before the windows are known, the usual ones count
  }

  do(move: Move): void {
    if (move.kind === "open") this.#drive(this.pair.open());
    else if (move.kind === "carry") this.pair.move(move.to, move.bytes);
    else this.#doOn(move);
    this.answer();
  }

  /** The server takes part in every stream as soon as it has come. */
  answer(): void {
    for (const served of this.pair.served.values()) {
      if (this.#answered.has(served)) continue;
      this.#answered.add(served);
      served.stream.sendHeaders([[":status", "200"]], false);
      this.#drive(served);
    }
  }

  #drive(end: StreamEnd): void {
    this.sides.push({ end, sent: "", trailers: null });
  }

  #doOn(move: Exclude<Move, { readonly kind: "open" | "carry" }>): void {
    const side = this.sides[move.of % Math.max(1, this.sides.length)];
    if (side === undefined) return;
    if (move.kind === "reset") side.end.stream.reset(8);
    else if (move.kind === "consume") side.end.consume(move.bytes);
    else if (move.kind === "end") finish(side, move.trailers ? "yes" : "");
    else if (side.trailers === null) send(side, move.bytes);
  }
}

function send(side: Driven, bytes: number): void {
  const piece = Array.from({ length: bytes }, (_, at) => String.fromCharCode((side.sent.length + at) * 7 % 251)).join(
    "",
  );
  side.sent += piece;
  void side.end.stream.sendData(Buffer.from(piece, "latin1"));
}

function finish(side: Driven, trailers: string): void {
  if (side.trailers !== null) return;
  side.trailers = trailers;
  side.end.stream.end(trailers === "" ? [] : [["t", trailers]]);
}

/** Ends all, reads all, and moves bytes until nothing comes any more. */
function finishAll(drive: Drive): void {
  drive.pair.settle();
  drive.answer();
  for (const side of drive.sides) finish(side, "");
  for (let round = 0, before = -1; before !== progress(drive); round++) {
    before = progress(drive);
    for (const { end } of drive.sides) end.consume();
    drive.pair.settle();
  }
}

function progress({ sides }: Drive): number {
  return sides.reduce((sum, { end }) => sum + end.body.length + (end.ended ? 1 : 0), 0);
}

/** Every end of a stream that nobody broke off has what the other end sent. */
function holdAgainst({ sides, pair }: Drive): void {
  for (const { end, trailers } of sides) {
    const other = sides.find((side) => side.end !== end && side.end.stream.id === end.stream.id);
    ok(other !== undefined, `stream ${end.stream.id} never came`);
    if (wasReset(end) || wasReset(other.end)) {
      ok(other.sent.startsWith(end.body));
      continue;
    }
    equal(end.body, other.sent);
    ok(end.ended && end.stream.closed && trailers !== null);
    // Behind the head, which the server's end was given and the client's end got.
    deepEqual(end.heads.slice(1).flat(), other.trailers === "yes" ? [["t", "yes"]] : []);
  }
  deepEqual([pair.client.openStreams, pair.server.openStreams, pair.ends], [0, 0, []]);
}

function wasReset({ resetCode, stream, ended }: StreamEnd): boolean {
  return resetCode !== undefined || (stream.closed && !ended);
}

Deno.test("Http2Session brings all bytes of all streams through tiny windows, in whatever order things are done", () => {
  fc.assert(
    fc.property(windowBytes, windowBytes, moves, (clientWindowBytes, serverWindowBytes, all) => {
      const drive = new Drive(clientWindowBytes, serverWindowBytes);
      for (const move of all) drive.do(move);
      finishAll(drive);
      holdAgainst(drive);
    }),
    { numRuns: 150 },
  );
});
