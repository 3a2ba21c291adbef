import {
  dnsCode,
  type DnsQuestion,
  dnsType,
  formatDnsAnswer,
  isOtherOperation,
  readDnsQuestion,
} from "./_dns_message.ts";
import type { NameTable } from "./_name_table.ts";

/** What a host's name is made of, underscores of SRV and the like included. */
const namePattern = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/;

/** Answers DNS for a sandbox: each name has an IPv4 address of its own, and nothing else. */
export class DnsStub {
  readonly #names: NameTable;
  readonly #onName: (name: string) => void;
  readonly #asked = new Set<string>();

  /** @param onName Called with each name, once. */
  constructor(names: NameTable, onName: (name: string) => void) {
    this.#names = names;
    this.#onName = onName;
  }

  /** Answers one message; `null` for what is no query. */
  answer(message: Uint8Array): Uint8Array | null {
    const question = readDnsQuestion(message);
    if (question === null) return null;
    if (isOtherOperation(question)) return formatDnsAnswer(question, dnsCode.notImplemented, []);
    if (!namePattern.test(question.name)) return formatDnsAnswer(question, dnsCode.noSuchName, []);
    if (isLoopbackName(question.name)) return formatDnsAnswer(question, dnsCode.ok, loopbackOf(question));
    this.#note(question.name);
    if (question.type !== dnsType.a && question.type !== dnsType.any) return formatDnsAnswer(question, dnsCode.ok, []);
    const address = this.#names.addressOf(question.name);
    if (address === null) return formatDnsAnswer(question, dnsCode.serverFailure, []);
    return formatDnsAnswer(question, dnsCode.ok, [Uint8Array.from(address.split("."), Number)]);
  }

  #note(name: string): void {
    if (this.#asked.has(name) || name.endsWith(".arpa")) return; // an address that is asked for its name goes nowhere
    this.#asked.add(name);
    this.#onName(name);
  }
}

/** RFC 6761 6.3: these never leave the machine. */
function isLoopbackName(name: string): boolean {
  return name === "localhost" || name.endsWith(".localhost");
}

function loopbackOf({ type }: DnsQuestion): Uint8Array[] {
  if (type === dnsType.a || type === dnsType.any) return [Uint8Array.of(127, 0, 0, 1)];
  if (type !== dnsType.aaaa) return [];
  const address = new Uint8Array(16);
  address[15] = 1;
  return [address];
}
