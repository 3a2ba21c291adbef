import { Buffer } from "node:buffer";

/** What a DNS query asks (RFC 1035 4.1). */
export interface DnsQuestion {
  readonly id: number;
  /** As they came. */
  readonly flags: number;
  /** In lower case, without a final dot. */
  readonly name: string;
  readonly type: number;
  /** The question's bytes, to be said again: a client may look for its own case in them. */
  readonly bytes: Uint8Array;
}

/** The types that are answered; every other one has no data. */
export const dnsType = { a: 1, aaaa: 28, any: 255 } as const;

/** How an answer went (RFC 1035 4.1.1). */
export const dnsCode = { ok: 0, serverFailure: 2, noSuchName: 3, notImplemented: 4 } as const;

const headerBytes = 12;
const longestName = 253;

/** Flags: an answer; the client's wish for recursion said again; recursion is there. */
const [answerFlag, recursionWanted, recursionThere] = [0x8000, 0x0100, 0x0080];
const opcodeMask = 0x7800;

/** A name is told by agrepl within a minute of its change, and nothing changes. */
const lifetimeSeconds = 60;

/** Reads a query; `null` when it is none. */
export function readDnsQuestion(message: Uint8Array): DnsQuestion | null {
  const view = Buffer.from(message.buffer, message.byteOffset, message.byteLength);
  if (view.length < headerBytes) return null;
  const flags = view.readUInt16BE(2);
  if ((flags & answerFlag) !== 0 || view.readUInt16BE(4) !== 1) return null;
  const labels: string[] = [];
  let at = headerBytes;
  for (let length = view[at]; length !== 0; length = view[at]) {
    if (length === undefined || length > 63 || at + length >= view.length) return null; // above 63 would be a pointer
    labels.push(view.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  const end = at + 5;
  const name = labels.join(".").toLowerCase();
  if (end > view.length || name.length > longestName) return null;
  return { id: view.readUInt16BE(0), flags, name, type: view.readUInt16BE(at + 1), bytes: view.subarray(12, end) };
}

/** Tells whether a query asks anything but for records (RFC 1035: opcode 0). */
export function isOtherOperation({ flags }: DnsQuestion): boolean {
  return (flags & opcodeMask) !== 0;
}

/**
 * Formats an answer.
 *
 * @param code One of {@link dnsCode}.
 * @param addresses Of four bytes each, or of sixteen.
 */
export function formatDnsAnswer(question: DnsQuestion, code: number, addresses: readonly Uint8Array[]): Uint8Array {
  const header = Buffer.alloc(headerBytes);
  header.writeUInt16BE(question.id, 0);
  header.writeUInt16BE(answerFlag | (question.flags & (opcodeMask | recursionWanted)) | recursionThere | code, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(addresses.length, 6);
  return Buffer.concat([header, question.bytes, ...addresses.flatMap(formatRecord)]);
}

function formatRecord(address: Uint8Array): Uint8Array[] {
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc000 | headerBytes, 0); // the question's name, by a pointer
  head.writeUInt16BE(address.length === 4 ? dnsType.a : dnsType.aaaa, 2);
  head.writeUInt16BE(1, 4); // IN
  head.writeUInt32BE(lifetimeSeconds, 6);
  head.writeUInt16BE(address.length, 10);
  return [head, address];
}
