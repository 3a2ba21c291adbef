/**
 * The program that runs beside the child in a sandbox: a DNS stub, and listeners that hand every connection to agrepl
 * outside, with the origin that it was meant for. It imports nothing but its own few files: it is on the way of a start.
 *
 * @module
 */
import { closeQuietly, copyStreams, writeWhole } from "./_copy_streams.ts";
import { DnsStub } from "./_dns_stub.ts";
import { NameTable } from "./_name_table.ts";
import {
  type Destination,
  formatDestination,
  type ForwardedPlace,
  type ForwarderReport,
  type ForwarderSettings,
  localSocketOf,
} from "./forwarder_words.ts";

/** Where this module lies, for whoever starts it. */
export const forwarderModule: string = import.meta.url;

const dnsPort = 53;

/** Runs where a sandbox has been set up; it lives as long as its stdin. */
class Forwarder {
  readonly #settings: ForwarderSettings;
  readonly #names = new NameTable();
  readonly #stub = new DnsStub(this.#names, (name) => tell({ kind: "name", name }));
  /** The hosts of the places, by address and port. */
  readonly #hosts = new Map<string, string>();
  readonly #wide: ReadonlySet<number>;

  constructor(settings: ForwarderSettings) {
    this.#settings = settings;
    this.#wide = new Set(settings.ports);
  }

  /** Opens all that is to listen. What cannot be opened is told, but for DNS, without which nothing works. */
  open(): void {
    const datagrams = onAnyAddress((hostname) => Deno.listenDatagram({ transport: "udp", hostname, port: dnsPort }));
    void this.#answerDatagrams(datagrams);
    void this.#accept(onAnyAddress((hostname) => Deno.listen({ hostname, port: dnsPort })), this.#answerStream);
    const { proxyPort } = this.#settings;
    void this.#accept(Deno.listen({ hostname: "127.0.0.1", port: proxyPort }), this.#handToProxy);
    for (const port of this.#settings.locals) this.#openLocal(port);
    for (const port of this.#wide) {
      this.#listen(`*:${port}`, () => onAnyAddress((hostname) => Deno.listen({ hostname, port })));
    }
    for (const place of this.#settings.places) this.#openPlace(place);
  }

  #openLocal(port: number): void {
    const path = localSocketOf(this.#settings.folder, port);
    for (const hostname of ["127.0.0.1", "::1"]) {
      const hand = (connection: Deno.TcpConn) => this.#handTo(connection, path, "");
      this.#listen(placeName(hostname, port), () => Deno.listen({ hostname, port }), hand);
    }
  }

  #openPlace({ host, address, port }: ForwardedPlace): void {
    const hostname = address ?? this.#names.addressOf(host);
    if (hostname === null) return;
    const place = placeName(hostname, port);
    if (this.#hosts.has(place)) return;
    this.#hosts.set(place, host);
    if (!this.#wide.has(port)) this.#listen(place, () => Deno.listen({ hostname, port }));
  }

  #listen(place: string, open: () => Deno.TcpListener, serve = this.#handToOrigin): void {
    try {
      void this.#accept(open(), serve);
    } catch (error) {
      tell({ kind: "unheard", place, reason: error instanceof Error ? error.message : String(error) });
    }
  }

  async #accept(listener: Deno.TcpListener, serve: (connection: Deno.TcpConn) => Promise<void>): Promise<void> {
    while (true) {
      try {
        const connection = await listener.accept();
        void serve(connection).catch(() => closeQuietly(connection));
      } catch (error) {
        if (error instanceof Deno.errors.BadResource) return;
        // No descriptor is left: one that ends makes room.
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
  }

  readonly #handToProxy = (connection: Deno.TcpConn): Promise<void> => this.#hand(connection, { kind: "proxy" });

  readonly #handToOrigin = (connection: Deno.TcpConn): Promise<void> => {
    const { hostname, port } = connection.localAddr;
    const address = plainAddress(hostname);
    const host = this.#hosts.get(placeName(address, port)) ?? this.#names.nameOf(address) ?? bracketed(address);
    return this.#hand(connection, { kind: "origin", host, port });
  };

  #hand(connection: Deno.TcpConn, destination: Destination): Promise<void> {
    return this.#handTo(connection, this.#settings.door, formatDestination(destination));
  }

  async #handTo(connection: Deno.TcpConn, path: string, preface: string): Promise<void> {
    connection.setNoDelay(true);
    const door = await Deno.connect({ transport: "unix", path });
    await writeWhole(door, new TextEncoder().encode(preface));
    await copyStreams(connection, door);
  }

  async #answerDatagrams(socket: Deno.DatagramConn): Promise<void> {
    while (true) {
      const [message, from] = await socket.receive();
      const answer = this.#stub.answer(message);
      if (answer === null) continue;
      await socket.send(answer, from).catch(() => {}); // who asked has left
    }
  }

  /** RFC 1035 4.2.2: each message stands behind its length. */
  readonly #answerStream = async (connection: Deno.TcpConn): Promise<void> => {
    let rest: Uint8Array = new Uint8Array(0);
    const buffer = new Uint8Array(4096);
    for (let count = await connection.read(buffer); count !== null; count = await connection.read(buffer)) {
      rest = joined(rest, buffer.subarray(0, count));
      for (let length = frameBytes(rest); rest.length >= length; length = frameBytes(rest)) {
        const answer = this.#stub.answer(rest.subarray(2, length));
        rest = rest.slice(length);
        if (answer === null) return connection.close();
        await writeWhole(connection, joined(Uint8Array.of(answer.length >> 8, answer.length & 255), answer));
      }
    }
    connection.close();
  };
}

/** `::` listens for both families; a machine without IPv6 has the one. */
function onAnyAddress<Socket>(open: (hostname: string) => Socket): Socket {
  try {
    return open("::");
  } catch {
    return open("0.0.0.0");
  }
}

function frameBytes(bytes: Uint8Array): number {
  const [high, low] = bytes;
  return high === undefined || low === undefined ? Infinity : 2 + high * 256 + low;
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(one.length + other.length);
  bytes.set(one);
  bytes.set(other, one.length);
  return bytes;
}

/** A socket for both families shows an IPv4 address inside of an IPv6 one. */
function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, "");
}

function bracketed(address: string): string {
  return address.includes(":") ? `[${address}]` : address;
}

function placeName(address: string, port: number): string {
  return `${bracketed(address)}:${port}`;
}

function tell(report: ForwarderReport): void {
  try {
    Deno.stdout.writeSync(new TextEncoder().encode(`${JSON.stringify(report)}\n`));
  } catch (error) {
    if (!(error instanceof Deno.errors.BrokenPipe)) throw error; // agrepl is gone: so is this, in a moment
  }
}

/** One line says why: agrepl tells it to its user. */
function openOrExit(forwarder: Forwarder): void {
  try {
    forwarder.open();
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    Deno.exit(1);
  }
}

async function main(): Promise<void> {
  const lines = Deno.stdin.readable.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  let forwarder: Forwarder | null = null;
  for (let read = await lines.read(); !read.done; read = await lines.read()) {
    text += read.value;
    const end = text.indexOf("\n");
    if (forwarder !== null || end === -1) continue;
    forwarder = new Forwarder(JSON.parse(text.slice(0, end)));
    openOrExit(forwarder);
    tell({ kind: "ready" });
  }
  Deno.exit(0); // connections that are still open end with it
}

if (import.meta.main) await main();
