/**
 * A program that asks an origin with TLS, run by http2_test.ts: by itself, or in `withReplay`.
 *
 * Arguments: the server's URL, what else is to ask it (`node`, `client`), and the cassette where there is one.
 *
 * @module
 */
import { withReplay } from "../../mod.ts";
import { ask } from "./node_client.ts";

const [url = "", others = "", path] = Deno.args;

console.log(JSON.stringify(path === undefined ? await askAll() : await withReplay(path, askAll)));

async function askAll(): Promise<string[]> {
  using client = Deno.createHttpClient({});
  const stream = ReadableStream.from(["a", "b"]).pipeThrough(new TextEncoderStream());
  return [
    await told(fetch(`${url}get?b=2&a=1`, { headers: { "X-Own": "1" } })),
    await told(fetch(`${url}post`, { method: "POST", body: '{"a":1}', headers: { "content-type": "a/json" } })),
    await told(fetch(`${url}stream`, { method: "PUT", body: stream })),
    ...(others.includes("node") ? [(await ask(`${url}node`)).text] : []),
    ...(others.includes("client") ? [await told(fetch(`${url}client`, { client }))] : []),
    await told(fetch(`${url}get?b=2&a=1`)),
  ];
}

async function told(answer: Promise<Response>): Promise<string> {
  const { status, statusText } = await answer;
  return `${status} ${statusText} ${await (await answer).text()}`;
}
