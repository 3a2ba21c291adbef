/**
 * A client that behaves, beside those that do not.
 *
 * @module
 */
import { equal, ok } from "node:assert/strict";
import { RawSocket } from "../support/raw_socket.ts";

/**
 * Does something hostile while other connections ask, one after the other, and holds every answer against what it must be:
 * on a plain connection that is kept, on a new one each time, and in a tunnel with TLS.
 *
 * @returns What the hostile client gave.
 */
export async function whileOthersAsk<Value>(
  door: { readonly port: number; readonly certificatePem: string },
  hostile: () => Promise<Value>,
): Promise<Value> {
  await using kept = await RawSocket.connect(door.port);
  await using secure = await RawSocket.tlsTunnel(door.port, "witness.test:443", {
    ca: door.certificatePem,
    servername: "witness.test",
    ALPNProtocols: ["http/1.1"],
  });
  const acting = { over: false };
  const done = hostile().finally(() => acting.over = true);
  done.catch(() => {}); // it is awaited below, and may fail before
  let rounds = 0;
  while (!acting.over || rounds === 0) {
    await using fresh = await RawSocket.connect(door.port);
    await ask(kept, `http://witness.test/kept/${rounds}`, `http://witness.test/kept/${rounds}`);
    await ask(fresh, `http://witness.test/fresh/${rounds}`, `http://witness.test/fresh/${rounds}`);
    await ask(secure, `/secure/${rounds}`, `https://witness.test:443/secure/${rounds}`);
    rounds++;
    await new Promise((resolve) => setTimeout(resolve, 10)); // a client that behaves does not press
  }
  return await done;
}

async function ask(connection: RawSocket, target: string, url: string): Promise<void> {
  connection.send(`POST ${target} HTTP/1.1\r\nHost: witness.test\r\nContent-Length: 5\r\n\r\nhello`);
  const startMs = performance.now();
  const text = `POST ${url} 5`;
  equal(await connection.response(), `HTTP/1.1 200 OK\r\nContent-Length: ${text.length}\r\n\r\n${text}`);
  ok(performance.now() - startMs < 5000, "a client that behaves waited for 5 s");
}
