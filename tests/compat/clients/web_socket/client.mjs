// Has one conversation over a WebSocket with the runtime's own client or with npm's ws, under Deno and under Node.
//
//     client.mjs global|ws URL
import { createHash } from "node:crypto";
import http from "node:http";
import https from "node:https";
import { createRequire } from "node:module";
import process from "node:process";

const [kind, url] = process.argv.slice(2);

function open() {
  if (kind === "global") return new WebSocket(url);
  const NpmWebSocket = createRequire(import.meta.url)("ws");
  // ws makes its own connections unless it is given an agent, and an agent is what knows the proxy.
  return new NpmWebSocket(url, {
    agent: url.startsWith("wss:") ? https.globalAgent : http.globalAgent,
  });
}

const socket = open();
socket.binaryType = "arraybuffer";
const received = [];
let wake = () => {};
socket.addEventListener("message", ({ data }) => {
  received.push(data);
  wake();
});
socket.addEventListener(
  "error",
  (event) => console.error("error", event.message ?? event.error),
);
const closed = new Promise((resolve) => socket.addEventListener("close", resolve));

async function next() {
  while (received.length === 0) await new Promise((resolve) => wake = resolve);
  const data = received.shift();
  if (typeof data === "string" && data.length < 200) return data;
  const bytes = typeof data === "string" ? data : new Uint8Array(data);
  return `${bytes.length} ${createHash("sha256").update(bytes).digest("hex")}`;
}

console.log(await next());
socket.send(
  JSON.stringify({ question: "what is it?", numbers: [1, 2.5, null] }),
);
console.log(await next());
socket.send(Uint8Array.from({ length: 1000 }, (_, index) => index));
console.log(await next());
socket.send("a longer message, ümlauts included. ".repeat(30_000));
console.log(await next());
socket.send("push");
for (let index = 0; index < 3; index++) console.log(await next());
socket.send("close me");
const { code, reason, wasClean } = await closed;
console.log(code, reason, wasClean);
process.exitCode = code === 4001 ? 22 : 1;
