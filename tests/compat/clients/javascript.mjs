// Makes the four exchanges with fetch or with node:https, under Deno and under Node.
//
//     javascript.mjs fetch|https ORIGIN [CA]
//
// With CA, a PEM file, the program starts once more with that file in the variables that name further authorities.
import { spawnSync } from "node:child_process";
import { get, request } from "node:https";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";

const json = JSON.stringify({ question: "what is it?", numbers: [1, 2.5, null] });
const jsonType = { "content-type": "application/json" };

async function withFetch(origin) {
  for (const path of ["/chunked", "/gzip"]) await show(await fetch(origin + path));
  await show(await fetch(`${origin}/echo`, { method: "POST", headers: jsonType, body: json }));
  const last = await fetch(`${origin}/repeated`);
  console.log(last.headers.get("x-part"));
  await show(last);
  return last.status;
}

async function show(response) {
  console.log(response.status, await response.text());
}

async function withHttps(origin) {
  print(await answerTo(get(`${origin}/chunked`)));
  print(await answerTo(get(`${origin}/gzip`, { headers: { "accept-encoding": "gzip" } })));
  const post = request(`${origin}/echo`, { method: "POST", headers: jsonType });
  post.end(json);
  print(await answerTo(post));
  const last = await answerTo(get(`${origin}/repeated`));
  console.log(last.headers["x-part"]);
  print(last);
  return last.status;
}

function answerTo(outgoing) {
  return new Promise((resolve, reject) => {
    outgoing.on("error", reject).on("response", async (response) => {
      const body = Buffer.concat(await response.toArray());
      const text = response.headers["content-encoding"] === "gzip" ? gunzipSync(body) : body;
      resolve({ status: response.statusCode, headers: response.headers, text: text.toString() });
    });
  });
}

function print({ status, text }) {
  console.log(status, text);
}

function startWith(ca, kind, origin) {
  // Replaced, not removed: under Deno a child of node:child_process keeps the variables that "env" leaves out.
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: ca, DENO_CERT: ca };
  const args = [...process.execArgv, fileURLToPath(import.meta.url), kind, origin];
  return spawnSync(process.execPath, args, { env, stdio: "inherit" }).status;
}

const [kind, origin, ca] = process.argv.slice(2);
if (ca !== undefined) process.exit(startWith(ca, kind, origin));
const status = await (kind === "fetch" ? withFetch(origin) : withHttps(origin));
process.exitCode = status === 418 ? 22 : 0;
