/**
 * A service of the host's, on loopback and on the unix socket that its argument names: it greets everybody, and writes
 * its port, then a line per connection. It ends with its stdin.
 *
 * @module
 */
const [socketPath = ""] = Deno.args;
const greeting = new TextEncoder().encode("HTTP/1.1 200 OK\r\ncontent-length: 7\r\nconnection: close\r\n\r\noutside");

async function serve(listener: Deno.Listener<Deno.Conn>): Promise<void> {
  for await (const connection of listener) {
    console.log("connection");
    greet(connection).catch(() => {}); // it hung up
  }
}

async function greet(connection: Deno.Conn): Promise<void> {
  using _connection = connection;
  await connection.read(new Uint8Array(4096));
  await connection.write(greeting);
}

const tcp = Deno.listen({ hostname: "127.0.0.1", port: 0 });
void serve(tcp);
void serve(Deno.listen({ transport: "unix", path: socketPath }));
console.log(tcp.addr.port);
await Deno.stdin.readable.pipeTo(new WritableStream());
Deno.exit();
