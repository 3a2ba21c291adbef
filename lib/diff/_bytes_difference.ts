import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import type { ComparedBody } from "./compared.ts";
import type { Delta, DeltaPart } from "./tier.ts";

/** Compares two bodies byte by byte, in pieces: neither has to fit into memory. */
export function bytesDifference(
  a: ComparedBody,
  b: ComparedBody,
  { part, name }: { readonly part: DeltaPart; readonly name: string },
): Delta[] {
  const [first, second] = [summaryOf(a), summaryOf(b)];
  if (first.hash === second.hash) return [];
  const offset = firstDifference(a, b);
  const why = `bytes that are not the same, from offset ${offset}`;
  return [{ part, field: name, a: first.text, b: second.text, tier: "signal", why }];
}

function summaryOf(body: ComparedBody): { readonly hash: string; readonly text: string } {
  const sum = createHash("sha256");
  for (const piece of body.pieces()) sum.update(piece);
  const hash = sum.digest("hex");
  return { hash, text: body.bytes === 0 ? "0 bytes" : `${body.bytes} bytes, sha256 ${hash.slice(0, 12)}…` };
}

/** Where two bodies part; the length of the shorter where it is the beginning of the other. */
function firstDifference(a: ComparedBody, b: ComparedBody): number {
  const [first, second] = [new PieceCursor(a.pieces()), new PieceCursor(b.pieces())];
  for (let offset = 0;;) {
    const length = Math.min(first.fill(), second.fill());
    if (length === 0) return offset;
    const [left, right] = [first.take(length), second.take(length)];
    if (Buffer.compare(left, right) !== 0) return offset + left.findIndex((byte, index) => byte !== right[index]);
    offset += length;
  }
}

class PieceCursor {
  readonly #pieces: Iterator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array(0);

  constructor(pieces: Iterable<Uint8Array>) {
    this.#pieces = pieces[Symbol.iterator]();
  }

  /** Gives how many bytes are at hand; 0 at the end. */
  fill(): number {
    while (this.#rest.length === 0) {
      const { done, value } = this.#pieces.next();
      if (done === true) return 0;
      this.#rest = value;
    }
    return this.#rest.length;
  }

  take(length: number): Uint8Array {
    const taken = this.#rest.subarray(0, length);
    this.#rest = this.#rest.subarray(length);
    return taken;
  }
}
