import type { ClientRequestArgs } from "node:http";
import https from "node:https";
import type { Duplex } from "node:stream";
import { toUpstreamError } from "./_failure.ts";
import { TlsStream } from "./_tls_stream.ts";

type Connected = (error: Error | null, stream: Duplex) => void;

/** Node's agent takes nothing for "by callback"; its types know only of the stream. */
const none = undefined as unknown as Duplex;

/** Keeps TLS connections for Node's client, over Deno's own TLS: the public roots, and what the user trusts besides. */
export class SecureAgent extends https.Agent {
  readonly #trust: readonly string[];

  constructor(trust: readonly string[]) {
    super({ keepAlive: true });
    this.#trust = trust;
  }

  /** One pool per host and port: all else is the same for every connection. */
  override getName({ host, port }: ClientRequestArgs): string {
    return `${host}:${port}`;
  }

  override createConnection({ host, port }: ClientRequestArgs, connected?: Connected): Duplex {
    this.#dial(host ?? "", Number(port)).then(
      (stream) => connected?.(null, stream),
      (error) => connected?.(error, none),
    );
    return none;
  }

  async #dial(host: string, port: number): Promise<Duplex> {
    const tcp = await connectTcp(host, port);
    const options = { hostname: host, caCerts: [...this.#trust], alpnProtocols: ["http/1.1"] };
    const connection = await Deno.startTls(tcp, options); // the handshake itself waits for the next line
    try {
      await connection.handshake();
      return new TlsStream(connection);
    } catch (error) {
      connection.close();
      throw toUpstreamError(error, "tls");
    }
  }
}

async function connectTcp(hostname: string, port: number): Promise<Deno.TcpConn> {
  try {
    const connection = await Deno.connect({ hostname, port });
    connection.setNoDelay(true);
    return connection;
  } catch (error) {
    throw toUpstreamError(error, "connect");
  }
}
