/**
 * What a Deno program tries when only Deno's permissions hold it: a line per attempt, name and outcome with a tab between.
 *
 * Arguments: the port of a service on loopback, and the path of its unix socket. Whoever reaches the service is greeted
 * with `HTTP/1.1 200 OK` and the word "outside".
 *
 * @module
 */
import dgram from "node:dgram";
import net from "node:net";

const [port = "", socketPath = ""] = Deno.args;
const origin = `http://127.0.0.1:${port}`;

type Outcome = "recorded" | "told" | "refused" | "HOST";

async function ofFetch(url: string): Promise<Outcome> {
  const response = await fetch(url);
  const text = await response.text();
  if (text.includes("outside")) return "HOST";
  return response.status === 502 ? "told" : "recorded";
}

async function ofConnect(options: Deno.ConnectOptions | Deno.UnixConnectOptions): Promise<Outcome> {
  using _connection = options.transport === "unix" ? await Deno.connect(options) : await Deno.connect(options);
  return "HOST";
}

function ofNodeSocket(options: net.NetConnectOpts): Promise<Outcome> {
  const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
  const socket = net.connect(options, () => resolve("HOST"));
  socket.on("error", reject);
  return promise.finally(() => socket.destroy());
}

function ofDatagram(): Promise<Outcome> {
  const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
  const socket = dgram.createSocket("udp4");
  socket.on("error", reject);
  globalThis.addEventListener("error", (event) => { // Deno's own refusal is thrown where nobody catches it
    event.preventDefault();
    reject(event.error);
  }, { once: true });
  socket.send("x", Number(port), "127.0.0.1", (error) => {
    socket.close();
    if (error) reject(error);
    else resolve("HOST");
  });
  return promise;
}

function ofSocket(): Promise<Outcome> {
  const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
  const socket = new WebSocket(`ws://127.0.0.1:${port}/`);
  socket.onopen = () => resolve("HOST");
  socket.onerror = () => reject(new TypeError("it failed"));
  return promise;
}

function ofWorker(): Promise<Outcome> {
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  const worker = new Worker(import.meta.resolve("./attempt_worker.ts"), { type: "module", name: origin });
  worker.onmessage = ({ data }) => resolve(data);
  return promise.finally(() => worker.terminate());
}

async function ofProgram(args: readonly string[]): Promise<Outcome> {
  const { stdout } = await new Deno.Command(Deno.execPath(), { args: [...args], stderr: "null" }).output();
  const said = new TextDecoder().decode(stdout);
  if (said.includes("outside")) return "HOST";
  return said === "" ? "refused" : "told";
}

const asking = `console.log(await (await fetch("${origin}/", { client: Deno.createHttpClient({}) })).text());`;
const bare =
  `for (const name of Object.keys(Deno.env.toObject())) if (/proxy/i.test(name)) Deno.env.delete(name); ${asking}`;

const attempts: Readonly<Record<string, () => Promise<Outcome>>> = {
  "fetch-known": () => ofFetch("http://api.example.com/hello"),
  "fetch-unknown": () => ofFetch(`${origin}/`),
  "websocket": ofSocket,
  "deno-connect": () => ofConnect({ port: Number(port), hostname: "127.0.0.1" }),
  "deno-connect-unix": () => ofConnect({ transport: "unix", path: socketPath }),
  "node-net": () => ofNodeSocket({ port: Number(port), host: "127.0.0.1" }),
  "node-net-unix": () => ofNodeSocket({ path: socketPath }),
  "node-dgram": ofDatagram,
  "deno-listen": async () => {
    using _listener = Deno.listen({ port: 0 });
    return await Promise.resolve("HOST");
  },
  "resolve-dns": async () => {
    const nameServer = { ipAddr: "127.0.0.1", port: Number(port) };
    await Deno.resolveDns("outside.test", "A", { nameServer, signal: AbortSignal.timeout(1000) });
    return "HOST";
  },
  "asked-for-permission": async () => {
    const { state } = await Deno.permissions.request({ name: "net" });
    return state === "granted" ? "HOST" : "refused";
  },
  "worker": ofWorker,
  "remote-import": async () => {
    const module = `${origin}/module.ts`;
    await import(module);
    return "HOST";
  },
  "subprocess": () => ofProgram(["eval", asking]),
  "subprocess-past-the-proxy": () => ofProgram(["eval", bare]),
};

for (const [name, attempt] of Object.entries(attempts)) {
  const outcome = await Promise.resolve().then(attempt).catch((): Outcome => "refused");
  console.log(`${name}\t${outcome}`);
}
