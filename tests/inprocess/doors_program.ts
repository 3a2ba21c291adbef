/**
 * A program of many clients, run by doors_test.ts twice: by itself under `agrepl record`, and in `withReplay`.
 *
 * Arguments: the server's URL, and the cassette where there is to be one.
 *
 * @module
 */
import { withReplay } from "../../mod.ts";
import { ask } from "./node_client.ts";

const [url = "", path] = Deno.args;

if (path === undefined) await askAll();
else await withReplay({ path, mode: "record" }, askAll);

/** One after the other: the order in which requests begin is part of what is held against each other. */
async function askAll(): Promise<void> {
  await (await fetch(`${url}fetch?b=2&a=1`, { headers: { authorization: "Bearer abcdefghijklmnop1234" } })).text();
  await (await fetch(`${url}json`, { method: "POST", body: JSON.stringify({ b: 1, a: [2] }) })).text();
  await ask(`${url}node?x=1`, { headers: { accept: "text/plain" } });
  await ask(`${url}node`, { method: "PUT", body: "a body" });
  await ask(`${url}json`, { method: "POST", body: '{"a":[2],"b":1}', headers: { "content-type": "application/json" } });
  await talk();
  await listen();
  await (await fetch(`${url}fetch?b=2&a=1`)).text();
}

async function talk(): Promise<void> {
  const socket = new WebSocket(`${url.replace("http", "ws")}socket`);
  await new Promise((resolve) => socket.onopen = resolve);
  const answered = new Promise((resolve) => socket.onmessage = resolve);
  socket.send("hello");
  await answered;
  const closed = new Promise((resolve) => socket.onclose = resolve);
  socket.close(1000);
  await closed;
}

async function listen(): Promise<void> {
  const source = new EventSource(`${url}events`);
  await new Promise((resolve) => source.onmessage = resolve);
  source.close();
}
