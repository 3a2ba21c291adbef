/**
 * Both ends of a TCP connection on loopback.
 *
 * @module
 */
import net, { type AddressInfo } from "node:net";
import { RawSocket } from "./raw_socket.ts";

/** The server's end as a socket, the client's end as bytes. */
export class SocketPair implements AsyncDisposable {
  readonly near: net.Socket;
  readonly far: RawSocket;
  readonly #server: net.Server;

  private constructor(near: net.Socket, far: RawSocket, server: net.Server) {
    this.near = near;
    this.far = far;
    this.#server = server;
  }

  static async open(): Promise<SocketPair> {
    const accepted = Promise.withResolvers<net.Socket>();
    const server = net.createServer({ noDelay: true }, (socket) => accepted.resolve(socket));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const far = await RawSocket.connect((server.address() as AddressInfo).port);
    far.socket.on("error", () => {});
    return new SocketPair(await accepted.promise, far, server);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    await this.far[Symbol.asyncDispose]();
    this.near.destroy();
    await closed;
  }
}
