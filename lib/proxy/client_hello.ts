/**
 * Reads the first message of a TLS handshake without taking part in it (RFC 8446 4.1.2).
 *
 * @module
 */
import { Buffer } from "node:buffer";

/** What a client offers. */
export interface ClientHello {
  /** The server's name (RFC 6066), in lower case; `null` when the client names none. */
  readonly serverName: string | null;
  /** The protocols it offers by ALPN (RFC 7301), in its order. */
  readonly protocols: readonly string[];
}

/** What the bytes so far amount to. */
export type HelloReading =
  | { readonly kind: "hello"; readonly hello: ClientHello }
  | { readonly kind: "more" }
  | { readonly kind: "not_tls" };

/** A hello above this is no client's; post-quantum key shares make about 2 KiB of it. */
const helloLimitBytes = 64 * 1024;

const handshakeRecord = 22;
const clientHelloMessage = 1;
const serverNameExtension = 0;
const alpnExtension = 16;

/**
 * Reads what has come of a connection so far.
 *
 * @param bytes Everything received since the connection began.
 * @returns The hello, a wish for more bytes, or that this is not TLS.
 */
export function readClientHello(bytes: Uint8Array): HelloReading {
  const records = joinRecords(bytes);
  if (records === null) return { kind: "not_tls" };
  const reader = new Reader(records.handshake);
  const type = reader.number(1);
  if (type !== null && type !== clientHelloMessage) return { kind: "not_tls" };
  const message = reader.block(3);
  if (message !== null) return { kind: "hello", hello: parseHello(message) };
  return { kind: records.ended || bytes.length > helloLimitBytes ? "not_tls" : "more" };
}

interface Records {
  readonly handshake: Uint8Array;
  /** Something else follows: no more of the handshake will come. */
  readonly ended: boolean;
}

/** The handshake bytes of all records so far; a hello may span several (RFC 8446 5.1). */
function joinRecords(bytes: Uint8Array): Records | null {
  const reader = new Reader(bytes);
  const parts: Uint8Array[] = [];
  let bytesOfParts = 0;
  while (reader.rest > 0) {
    const handshake = reader.number(1) === handshakeRecord && (reader.rest === 0 || reader.peek() === 3);
    // Every version's record says 3.x. What stands behind a hello that is whole makes it no other.
    if (!handshake) return bytesOfParts === 0 ? null : { handshake: Buffer.concat(parts), ended: true };
    reader.skip(2);
    const length = reader.number(2);
    if (length === null) break;
    const part = reader.take(length);
    parts.push(part);
    bytesOfParts += part.length;
    if (bytesOfParts > helloLimitBytes) break;
  }
  return { handshake: Buffer.concat(parts), ended: false };
}

function parseHello(message: Reader): ClientHello {
  message.skip(2 + 32); // version, random
  message.block(1); // session id
  message.block(2); // cipher suites
  message.block(1); // compression methods
  const extensions = message.block(2);
  let serverName: string | null = null;
  let protocols: readonly string[] = [];
  while (extensions !== null && extensions.rest >= 4) {
    const type = extensions.number(2);
    const body = extensions.block(2);
    if (body === null) break;
    if (type === serverNameExtension) serverName = parseServerName(body);
    else if (type === alpnExtension) protocols = parseProtocols(body);
  }
  return { serverName, protocols };
}

function parseServerName(body: Reader): string | null {
  const list = body.block(2);
  if (list === null || list.number(1) !== 0) return null; // 0 is host_name, the only kind there is
  const name = list.block(2);
  return name === null ? null : name.text().toLowerCase();
}

function parseProtocols(body: Reader): string[] {
  const list = body.block(2);
  const protocols: string[] = [];
  while (list !== null && list.rest > 0) {
    const name = list.block(1);
    if (name === null) break;
    protocols.push(name.text());
  }
  return protocols;
}

/** Reads numbers and length-prefixed blocks; gives `null` where the bytes end too soon. */
class Reader {
  readonly #bytes: Uint8Array;
  #offset = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get rest(): number {
    return this.#bytes.length - this.#offset;
  }

  peek(): number | undefined {
    return this.#bytes[this.#offset];
  }

  skip(count: number): void {
    this.#offset = Math.min(this.#offset + count, this.#bytes.length);
  }

  take(count: number): Uint8Array {
    const from = this.#offset;
    this.skip(count);
    return this.#bytes.subarray(from, this.#offset);
  }

  /** A big-endian number of so many bytes. */
  number(count: number): number | null {
    if (this.rest < count) return null;
    return this.take(count).reduce((value, byte) => value * 256 + byte, 0);
  }

  /** A block whose length stands before it in so many bytes. */
  block(lengthBytes: number): Reader | null {
    const length = this.number(lengthBytes);
    return length === null || length > this.rest ? null : new Reader(this.take(length));
  }

  text(): string {
    return new TextDecoder().decode(this.take(this.rest));
  }
}
