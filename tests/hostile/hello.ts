import { Buffer } from "node:buffer";
import net, { type AddressInfo } from "node:net";
import tls from "node:tls";

/** The first bytes that a real TLS client sends. */
export async function realHello(servername: string): Promise<Buffer> {
  const first = Promise.withResolvers<Buffer>();
  const server = net.createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", (bytes: Buffer) => {
      first.resolve(bytes);
      socket.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const client = tls.connect({ port, host: "127.0.0.1", servername, ALPNProtocols: ["http/1.1"] });
  client.on("error", () => {});
  const bytes = await first.promise;
  client.destroy();
  await new Promise((resolve) => server.close(resolve));
  return bytes;
}
