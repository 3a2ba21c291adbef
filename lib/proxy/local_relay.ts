/**
 * The program that lets chosen services of this machine's loopback into a sandbox: it runs outside, may reach those ports
 * of loopback and nothing else, and is reached over unix sockets.
 *
 *     local_relay.ts FOLDER PORT…
 *
 * @module
 */
import { closeQuietly, copyStreams } from "./_copy_streams.ts";
import { localSocketOf } from "./forwarder_words.ts";

/** Where this module lies, for whoever starts it. */
export const localRelayModule: string = import.meta.url;

/** What a relay may reach of one port, as `--allow-net` wants it. */
export function loopbackOf(port: number): string[] {
  return [`127.0.0.1:${port}`, `[::1]:${port}`];
}

async function accept(listener: Deno.UnixListener, port: number): Promise<void> {
  for await (const connection of listener) {
    void relay(connection, port).catch(() => closeQuietly(connection)); // nobody listens: as the child would find it
  }
}

async function relay(connection: Deno.UnixConn, port: number): Promise<void> {
  const service = await dial("127.0.0.1", port).catch(() => dial("::1", port));
  await copyStreams(connection, service);
}

async function dial(hostname: string, port: number): Promise<Deno.TcpConn> {
  const service = await Deno.connect({ hostname, port });
  service.setNoDelay(true);
  return service;
}

async function main(): Promise<void> {
  const [folder = "", ...ports] = Deno.args;
  for (const port of ports.map(Number)) {
    void accept(Deno.listen({ transport: "unix", path: localSocketOf(folder, port) }), port);
  }
  Deno.stdout.writeSync(new TextEncoder().encode("ready\n"));
  for await (const _bytes of Deno.stdin.readable); // its end is the relay's
  Deno.exit(0);
}

if (import.meta.main) await main();
