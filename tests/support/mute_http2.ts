/**
 * A client of HTTP/2 that never reads: Node's sockets and Deno's TLS do, whatever one asks of them.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { preface } from "./raw_http2.ts";

/** A connection through a plain tunnel, of which nothing is read once the tunnel is there. */
export class MuteHttp2 implements Disposable {
  readonly #connection: Deno.Conn;

  private constructor(connection: Deno.Conn) {
    this.#connection = connection;
  }

  /** Opens a tunnel and says what a client says first. */
  static async open(proxyPort: number, ...frames: readonly Buffer[]): Promise<MuteHttp2> {
    const connection = await Deno.connect({ port: proxyPort, hostname: "127.0.0.1" });
    const client = new MuteHttp2(connection);
    await client.write(Buffer.from("CONNECT a.test:80 HTTP/1.1\r\n\r\n"));
    await connection.read(new Uint8Array(1000));
    await client.write(Buffer.concat([preface, ...frames]));
    return client;
  }

  /** Sends bytes. @returns False when the other side has ended the connection. */
  async write(bytes: Uint8Array): Promise<boolean> {
    try {
      for (let at = 0; at < bytes.length;) at += await this.#connection.write(bytes.subarray(at));
      return true;
    } catch {
      return false;
    }
  }

  [Symbol.dispose](): void {
    this.#connection.close();
  }
}
