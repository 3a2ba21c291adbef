// A WebSocket server that never says the same thing twice. Reads {key, cert} as one line of JSON; prints its two ports, of
// wss and of ws, then each word that made a message its own; ends when its input does.
import { createHash, randomBytes } from "node:crypto";
import { createServer as createPlainServer } from "node:http";
import { createServer } from "node:https";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const { WebSocketServer } = createRequire(import.meta.url)("ws");

const fresh = () => {
  const word = randomBytes(20).toString("hex");
  console.log(word);
  return word;
};

function converse(socket) {
  socket.send(JSON.stringify({ welcome: fresh() }));
  socket.on("message", (data, isBinary) => {
    if (isBinary) {
      return void socket.send(
        Buffer.concat([data, Buffer.from(fresh(), "hex")]),
      );
    }
    const text = data.toString();
    if (text === "close me") {
      return void socket.close(4001, `enough: ${fresh()}`);
    }
    if (text === "push") {
      for (let index = 0; index < 3; index++) {
        socket.send(`pushed ${index} ${fresh()}`);
      }
      return;
    }
    const digest = createHash("sha256").update(text).digest("hex");
    socket.ping("still there?");
    socket.send(
      `${text.length} ${digest} ${fresh()} ${"and so on ".repeat(text.length > 1000 ? 200_000 : 3)}`,
    );
  });
}

const lines = createInterface({ input: process.stdin });
const secure = JSON.parse((await lines[Symbol.asyncIterator]().next()).value);
const servers = [createServer(secure), createPlainServer()];
const ports = [];
for (const server of servers) {
  const sockets = new WebSocketServer({
    server,
    perMessageDeflate: { threshold: 64 },
  });
  sockets.on("connection", converse);
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  ports.push(server.address().port);
}
console.log(ports.join(" "));
lines.on("close", () => process.exit());
