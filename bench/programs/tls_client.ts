/**
 * A client that measures round trips over one kept-alive TLS connection through a proxy: a raw socket, so that the
 * client's own cost is as small as it can be.
 *
 * Arguments: proxy port, CA file, host:port, rounds. Prints one JSON line with the sorted times in microseconds.
 */
import net from "node:net";
import tls from "node:tls";

const [proxyPort = "", caFile = "", origin = "", rounds = "2000"] = Deno.args;
const warmUpRounds = 300;

const socket = await connectThrough(Number(proxyPort), origin);
const secure = tls.connect({ socket, servername: origin.split(":")[0], ca: Deno.readTextFileSync(caFile) });
await new Promise((resolve, reject) => secure.once("secureConnect", resolve).once("error", reject));
const request = `GET /step HTTP/1.1\r\nHost: ${origin}\r\nAccept: */*\r\n\r\n`;
for (let round = 0; round < warmUpRounds; round++) await roundTrip();
const times: number[] = [];
for (let round = 0; round < Number(rounds); round++) {
  const start = performance.now();
  await roundTrip();
  times.push((performance.now() - start) * 1000);
}
secure.destroy();
times.sort((a, b) => a - b);
console.log(JSON.stringify(times));

function connectThrough(port: number, authority: string): Promise<net.Socket> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(port, "127.0.0.1", () => {
      socket.setNoDelay(true);
      socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`);
      socket.once("data", () => resolve(socket));
    });
    socket.once("error", reject);
  });
}

function roundTrip(): Promise<void> {
  return new Promise((resolve) => {
    let text = "";
    const take = (bytes: Uint8Array) => {
      text += bytes.toString();
      if (!isWhole(text)) return;
      secure.off("data", take);
      resolve();
    };
    secure.on("data", take);
    secure.write(request);
  });
}

function isWhole(text: string): boolean {
  const head = text.indexOf("\r\n\r\n");
  const length = /content-length: (\d+)/i.exec(text)?.[1];
  return head !== -1 && length !== undefined && text.length >= head + 4 + Number(length);
}
