/**
 * A preload of agrepl itself: waits until agrepl has given up everything, then tries every way out from inside of its
 * process, as a bug or a bad dependency would. Writes a line per attempt, name and outcome with a tab between, to the file
 * that `PLANTED_REPORT` names.
 *
 * `PLANTED_PORT` is the port of a service on loopback that answers "outside".
 *
 * @module
 */
import http from "node:http";
import net from "node:net";

const origin = `http://127.0.0.1:${Deno.env.get("PLANTED_PORT")}`;
const port = Number(Deno.env.get("PLANTED_PORT"));
const report = Deno.env.get("PLANTED_REPORT") ?? "";

function ofEvents(start: (reached: () => void, failed: (error: unknown) => void) => void): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  start(resolve, reject);
  return promise;
}

/** The error is told by an event, without its class. */
function ofWorker(url: string): Promise<void> {
  return ofEvents((reached, failed) => {
    const worker = new Worker(url, { type: "module" });
    worker.onmessage = ({ data }) => data === "refused" ? failed(new Deno.errors.NotCapable()) : reached();
    worker.onerror = (event) => {
      event.preventDefault();
      failed(/Requires (?:net|import) access/.test(event.message) ? new Deno.errors.NotCapable() : event);
    };
  });
}

const fetching = `try { await fetch("${origin}/"); postMessage("out"); } catch { postMessage("refused"); }`;
const remote = `${origin}/module.js`;
const unknownPackage = "npm:@planted/away@1.0.0";

const attempts: Readonly<Record<string, () => unknown>> = {
  "fetch": () => fetch(`${origin}/`),
  "deno-connect": () => Deno.connect({ port, hostname: "127.0.0.1" }),
  "node-http": () => ofEvents((reached, failed) => http.get(origin, reached).on("error", failed)),
  "node-net": () => ofEvents((reached, failed) => net.connect(port, "127.0.0.1", reached).on("error", failed)),
  "websocket": () => new WebSocket(origin.replace("http", "ws")),
  "deno-listen": () => Deno.listen({ port: 0 }),
  "resolve-dns": () => Deno.resolveDns("outside.test", "A", { nameServer: { ipAddr: "127.0.0.1", port } }),
  "subprocess": () => new Deno.Command(Deno.execPath(), { args: ["--version"] }).output(),
  "ffi": () => Deno.dlopen("/lib/none.so", {}),
  "remote-import": () => import(remote),
  "worker-that-fetches": () => ofWorker(`data:text/javascript,${encodeURIComponent(fetching)}`),
  "remote-worker": () => ofWorker(remote),
  "asked-for-permission": async () => {
    const { state } = await Deno.permissions.request({ name: "net" });
    if (state !== "granted") throw new Deno.errors.NotCapable();
  },
  "npm-import": () => import(unknownPackage),
};

async function tryAll(): Promise<void> {
  const lines: string[] = [];
  for (const [name, attempt] of Object.entries(attempts)) {
    const outcome = await Promise.resolve().then(attempt).then(() => "OUT", outcomeOf);
    lines.push(`${name}\t${outcome}\n`);
  }
  Deno.writeTextFileSync(`${report}.new`, lines.join(""));
  Deno.renameSync(`${report}.new`, report);
}

function outcomeOf(error: unknown): string {
  if (error instanceof Deno.errors.NotCapable) return "NotCapable";
  const text = String(error);
  if (/Requires (?:net|import) access/.test(text)) return "NotCapable";
  return text.includes("@planted/away") ? "asked the registry" : text;
}

const revokeSync = Deno.permissions.revokeSync;
Deno.permissions.revokeSync = (permission) => {
  const status = revokeSync.call(Deno.permissions, permission);
  if (permission.name === "run") setTimeout(tryAll, 0); // the last of them
  return status;
};
