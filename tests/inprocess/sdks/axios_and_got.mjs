// deno-lint-ignore-file no-import-prefix -- the clients of this one program
import axios from "npm:axios@1.21.1";
import got from "npm:got@16.1.0";
import WebSocket from "npm:ws@8.23.0";
import { run } from "./run.mjs";

await run(async (url) => {
  const { data } = await axios.post(`${url}json`, { a: 1 }, { headers: { "x-by": "axios" } });
  const followed = await axios.get(`${url}moved`);
  const byGot = await got(`${url}json`, { json: { b: 2 }, method: "POST", retry: { limit: 0 } }).json();
  const streamed = [];
  for await (const piece of got.stream(`${url}text`)) streamed.push(piece);
  const text = new TextDecoder().decode(await new Blob(streamed).arrayBuffer());
  return { data, path: followed.request.path, byGot, text, byWs: await talk(url) };
});

/** ws brings connections of its own to node:http. */
function talk(url) {
  const { promise, resolve, reject } = Promise.withResolvers();
  const socket = new WebSocket(`${url.replace("http", "ws")}socket`);
  socket.on("open", () => socket.send("hello"));
  socket.on("message", (data) => {
    socket.close(1000);
    socket.on("close", (code) => resolve([String(data), code]));
  });
  socket.on("error", reject);
  return promise;
}
