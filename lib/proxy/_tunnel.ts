import { Buffer } from "node:buffer";
import type { Socket } from "node:net";
import tls from "node:tls";
import type { Protocol } from "../engine/mod.ts";
import { clientPreface } from "../wire/mod.ts";
import { certificateName, type Origin } from "./_origin.ts";
import type { Authority } from "./authority.ts";
import { type ClientHello, readClientHello } from "./client_hello.ts";

/** A tunnel in which no HTTP came to be. */
export interface TunnelNotice {
  readonly kind: "tls";
  /** Where the client wanted to go. */
  readonly host: string;
  /** What the client called itself in its CONNECT. */
  readonly userAgent: string | undefined;
  /** The TLS library's code: `ERR_SSL_TLSV1_ALERT_UNKNOWN_CA` when the client does not trust our authority. */
  readonly code: string;
  readonly message: string;
}

/** A CONNECT, and what to do with what comes out of it. */
export interface Tunnel {
  readonly socket: Socket;
  /** Bytes that came behind the CONNECT. */
  readonly head: Uint8Array;
  /** True where no CONNECT was sent, and no answer to one is expected. */
  readonly transparent: boolean;
  readonly origin: Omit<Origin, "scheme">;
  readonly userAgent: string | undefined;
  readonly authority: Authority;
  readonly onNotice: (notice: TunnelNotice) => void;
  /** Chooses what is spoken inside of TLS. */
  readonly protocolOf: (offers: readonly Protocol[]) => Protocol | Promise<Protocol>;
  /** Takes the connection once it carries plain HTTP. */
  readonly serve: (connection: Socket, scheme: Origin["scheme"], protocol: Protocol) => void;
  /** How long a handshake may take once it has begun. */
  readonly patienceMs: number;
  /** Tells whether any tunnel to this host has come to be used. */
  readonly wasUsed: () => boolean;
}

/**
 * Answers a CONNECT and finds out what is spoken inside: TLS, which is ended here with a certificate for the name that
 * the client asks for, or plain HTTP.
 */
export function openTunnel(tunnel: Tunnel): void {
  const { socket } = tunnel;
  socket.setNoDelay(true);
  socket.on("error", () => {}); // a client that resets its connection is no event; "close" follows
  if (!tunnel.transparent) socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
  let seen = Buffer.from(tunnel.head);
  let looks = 0;
  const giveUp = () => socket.destroy(); // it left without a word
  const watch = new Patience(tunnel.patienceMs, giveUp);
  socket.once("close", () => watch.stop());
  const look = (): boolean => {
    if (seen.length === 0) return false;
    const reading = readClientHello(seen);
    const spoken = reading.kind === "not_tls" ? plainProtocol(seen) : null;
    if (reading.kind !== "hello" && spoken === null && ++looks < looksLimit) {
      watch.start();
      return false;
    }
    watch.stop();
    socket.pause();
    socket.off("data", onData).off("end", giveUp);
    socket.unshift(seen);
    if (reading.kind === "hello") void chooseAndStartTls(tunnel, reading.hello);
    else {
      tunnel.serve(socket, "http", spoken ?? "http/1.1");
      socket.resume(); // a server that is given a paused connection leaves it so
    }
    return true;
  };
  const onData = (bytes: Uint8Array) => {
    seen = Buffer.concat([seen, bytes]);
    look();
  };
  if (!look()) socket.on("data", onData).on("end", giveUp);
}

/** Each look reads from the start: a hello that comes in more pieces than this is read as whatever it may be. */
const looksLimit = 4096;

/** What begins without TLS: HTTP/2 says so in its first words (RFC 9113 3.4). `null` while it may be either. */
function plainProtocol(seen: Buffer): Protocol | null {
  const compared = Math.min(seen.length, clientPreface.length);
  if (!seen.subarray(0, compared).equals(clientPreface.subarray(0, compared))) return "http/1.1";
  return compared === clientPreface.length ? "h2" : null;
}

/** A timer that runs once. */
class Patience {
  readonly #ms: number;
  readonly #onOver: () => void;
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(ms: number, onOver: () => void) {
    this.#ms = ms;
    this.#onOver = onOver;
  }

  start(): void {
    this.#timer ??= setTimeout(this.#onOver, this.#ms);
  }

  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}

/** The origin is asked first: only what it chose can be chosen here. */
async function chooseAndStartTls(tunnel: Tunnel, hello: ClientHello): Promise<void> {
  const offers = hello.protocols.filter((name): name is Protocol => name === "h2" || name === "http/1.1");
  const chosen = tunnel.protocolOf(offers);
  const protocol = typeof chosen === "string" ? chosen : await chosen;
  if (!tunnel.socket.destroyed) startTls(tunnel, hello, protocol);
}

function startTls(tunnel: Tunnel, hello: ClientHello, protocol: Protocol): void {
  const name = hello.serverName ?? certificateName(tunnel.origin.host);
  const { keyPem, certPem } = tunnel.authority.leafFor(name);
  const connection = new tls.TLSSocket(tunnel.socket, {
    isServer: true,
    key: keyPem,
    cert: certPem,
    ALPNProtocols: [protocol],
  });
  const watch = new Patience(tunnel.patienceMs, () => connection.destroy());
  watch.start();
  let told = false;
  const tell = (code: string, message: string) => {
    // A client that has asked something trusts us, however it left; an alert may come late (TLS 1.3).
    if (told || (tunnel.wasUsed() && !/^ERR_SSL_/.test(code))) return;
    told = true;
    tunnel.onNotice({ kind: "tls", host: tunnel.origin.host, userAgent: tunnel.userAgent, code, message });
  };
  connection.on("error", (error: Error & { code?: string }) => tell(error.code ?? "", error.message));
  // Node looks at a certificate after the handshake, and sends no alert: it is just gone.
  connection.once("secure", () => watch.stop()).once("close", () => {
    watch.stop();
    if (!tunnel.wasUsed()) tell("ECONNRESET", "it closed the connection without a request");
  });
  tunnel.serve(connection, "https", protocol);
}
