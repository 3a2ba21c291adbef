/**
 * Reads header blocks (RFC 7541).
 *
 * @module
 */
import { Buffer } from "node:buffer";
import type { Header } from "../step/mod.ts";
import { staticTable } from "./hpack_tables.ts";
import { http2Code, Http2Error } from "./http2_frames.ts";
import { decodeHuffman } from "./huffman.ts";

/** What the other side may keep here; the protocol's default. */
const tableLimitBytes = 4096;

/** What a field costs beside its letters (RFC 7541 4.1). */
const fieldCostBytes = 32;

/** One header block, read. */
export interface HeaderBlock {
  /** In the order of the wire; incomplete when there was too much. */
  readonly headers: readonly Header[];
  /** True when the fields together are larger than the limit. */
  readonly tooLarge: boolean;
}

/** Reads the header blocks of one connection, in order: each may refer to those before. */
export class HpackDecoder {
  readonly #limitBytes: number;
  /** Newest first. */
  readonly #table: Header[] = [];
  #tableBytes = 0;
  #tableLimit = tableLimitBytes;

  /** @param limitBytes What the fields of one block may cost together. */
  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  /**
   * Reads a block.
   *
   * @throws {Http2Error} when it is none: what follows on the connection could not be read any more.
   */
  decode(block: Buffer): HeaderBlock {
    const reader = new BlockReader(block);
    const headers: Header[] = [];
    let bytes = 0;
    while (!reader.done) {
      const header = this.#field(reader, headers.length === 0 && bytes === 0);
      if (header === null) continue;
      bytes += costOf(header);
      if (bytes <= this.#limitBytes) headers.push(header);
    }
    return { headers, tooLarge: bytes > this.#limitBytes };
  }

  /** Reads one representation; `null` for one that is no field. */
  #field(reader: BlockReader, first: boolean): Header | null {
    const byte = reader.peek();
    if (byte >= 0x80) return this.#entry(reader.number(7));
    if (byte >= 0x40) {
      const header = this.#literal(reader, 6);
      this.#add(header);
      return header;
    }
    if (byte < 0x20) return this.#literal(reader, 4); // without indexing, or never to be indexed
    if (!first) throw broken("a table size in the middle of a header block");
    this.#resize(reader.number(5));
    return null;
  }

  #literal(reader: BlockReader, prefixBits: number): Header {
    const index = reader.number(prefixBits);
    const name = index === 0 ? reader.text() : this.#entry(index)[0];
    return [name, reader.text()];
  }

  #entry(index: number): Header {
    const header = staticTable[index - 1] ?? this.#table[index - 1 - staticTable.length];
    if (header === undefined) throw broken(`there is no header field ${index}`);
    return header;
  }

  #add(header: Header): void {
    this.#table.unshift(header);
    this.#tableBytes += costOf(header);
    this.#evict();
  }

  #resize(limit: number): void {
    if (limit > tableLimitBytes) throw broken(`a table of ${limit} bytes, expected at most ${tableLimitBytes}`);
    this.#tableLimit = limit;
    this.#evict();
  }

  #evict(): void {
    while (this.#tableBytes > this.#tableLimit) {
      const oldest = this.#table.pop();
      if (oldest === undefined) return;
      this.#tableBytes -= costOf(oldest);
    }
  }
}

function costOf([name, value]: Header): number {
  return name.length + value.length + fieldCostBytes;
}

function broken(what: string): Http2Error {
  return new Http2Error(http2Code.compressionError, what);
}

/** More would be no size that anybody means (RFC 7541 5.1 asks for a limit). */
const numberLimit = 0x1000_0000;

/** The numbers and strings of a block. */
class BlockReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get done(): boolean {
    return this.#at >= this.#bytes.length;
  }

  peek(): number {
    const byte = this.#bytes[this.#at];
    if (byte === undefined) throw broken("a header block that ends too soon");
    return byte;
  }

  /** An integer whose first bits stand in the rest of a byte (RFC 7541 5.1). */
  number(prefixBits: number): number {
    const most = 2 ** prefixBits - 1;
    const start = this.#byte() & most;
    if (start < most) return start;
    let value = start;
    let scale = 1;
    while (true) {
      const byte = this.#byte();
      value += (byte & 0x7f) * scale;
      scale *= 128;
      if (value > numberLimit || scale > 2 ** 35) throw broken("a number without end in a header block");
      if (byte < 0x80) return value;
    }
  }

  /** A string, one character per byte (RFC 7541 5.2). */
  text(): string {
    const coded = this.peek() >= 0x80;
    const length = this.number(7);
    const end = this.#at + length;
    if (end > this.#bytes.length) throw broken("a header block that ends too soon");
    const from = this.#at;
    this.#at = end;
    if (!coded) return this.#bytes.toString("latin1", from, end);
    const text = decodeHuffman(this.#bytes.subarray(from, end));
    if (text === null) throw broken("a string that is no Huffman code");
    return text;
  }

  #byte(): number {
    const byte = this.peek();
    this.#at++;
    return byte;
  }
}
