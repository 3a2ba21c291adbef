import { deepEqual, equal } from "node:assert/strict";
import http2 from "node:http2";
import type { AddressInfo, Socket } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { formatPreloadOrder, parsePreloadOutcome, preloadVariable } from "../../lib/inprocess/mod.ts";
import type { Step } from "../../lib/step/mod.ts";
import { TraceFile } from "../../lib/store/mod.ts";
import { http2Certificate, type Http2Script, http2Trust, startHttp2 } from "../support/http2_peers.ts";
import { CassetteRoom } from "./room.ts";

const program = fileURLToPath(new URL("./http2_program.ts", import.meta.url));
const preload = fileURLToPath(new URL("../../lib/inprocess/preload.ts", import.meta.url));
const cli = fileURLToPath(new URL("../../cli.ts", import.meta.url));

/** Says what was asked, and by which headers. */
const echo: Http2Script = (stream, { ":method": method, ":path": path }) => {
  const pieces: Uint8Array[] = [];
  stream.on("data", (piece: Uint8Array) => pieces.push(piece));
  stream.on("end", async () => {
    stream.respond({ ":status": 200, "content-type": "text/plain" });
    stream.end(`HTTP/2 ${method} ${path} ${await new Blob(pieces.map((each) => Uint8Array.from(each))).text()}`);
  });
};

/** An origin that speaks both. */
async function startBoth() {
  const server = http2.createSecureServer({ ...http2Certificate, allowHTTP1: true }, (request, response) => {
    request.resume().on("end", () => response.end(`HTTP/${request.httpVersion} ${request.method} ${request.url}`));
  });
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    host: `localhost:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Runs Deno, with the origins of this file trusted; gives what was printed. */
async function run(room: CassetteRoom, args: readonly string[], env: Record<string, string> = {}): Promise<string[]> {
  const trust = join(room.folder, "trust.pem");
  Deno.writeTextFileSync(trust, http2Trust);
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-lock", "--no-check", "--no-prompt", ...args],
    env: { NO_COLOR: "1", CI: "", DENO_CERT: trust, AGREPL_DIR: join(room.folder, ".agrepl"), ...env },
  }).output();
  const [out = "", err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  equal(code, 0, `${out}${err}`);
  return out === "" ? [] : JSON.parse(out);
}

const hermetic = (room: CassetteRoom) => ["--ignore-env", "--deny-net", `--allow-read=${room.folder}`] as const;
const child = [Deno.execPath(), "run", "--no-lock", "--no-check", "-A", program] as const;

/** Records the program by the proxy; gives what it printed. */
async function recordByProxy(
  room: CassetteRoom,
  ...args: readonly string[]
): Promise<{ printed: string[]; path: string }> {
  const printed = await run(room, ["-A", cli, "record", "--", ...child, ...args]);
  const folder = join(room.folder, ".agrepl", "traces");
  return { printed, path: join(folder, [...Deno.readDirSync(folder)][0]?.name ?? "") };
}

function stepsOf(path: string): Step[] {
  using trace = new TraceFile(path, null);
  return trace.entries.map((entry) => trace.step(entry)).filter((step) => step.optional !== true);
}

const spoken = ({ request, response }: Step) => [request.httpVersion, response?.httpVersion];

Deno.test("withReplay() records of a fetch what its origin chose, and of node:https HTTP/1.1", async () => {
  using room = new CassetteRoom();
  const args = ["node, client", room.path];
  let url = "";
  let printed: string[] = [];
  {
    await using origin = await startBoth();
    url = `https://${origin.host}/`;
    printed = await run(room, ["-A", program, url, ...args]);
  }
  deepEqual(printed.map((each) => /HTTP\/[\d.]+/.exec(each)?.[0]), [
    ...Array(3).fill("HTTP/2.0"),
    "HTTP/1.1",
    ...Array(2).fill("HTTP/2.0"),
  ]);
  const [one, two] = [["1.1", "1.1"], ["2", "2"]]; // of a client of the caller's nobody can tell: it stands as HTTP/1.1
  deepEqual(stepsOf(room.path).map(spoken), [two, two, two, one, one, two]);
  deepEqual(await run(room, [...hermetic(room), program, url, ...args]), printed);
});

Deno.test("withReplay() replays an origin that was asked in HTTP/2 and then in HTTP/1.1", async () => {
  using room = new CassetteRoom();
  let url = "";
  let printed: string[] = [];
  {
    await using origin = await startBoth();
    url = `https://${origin.host}/`;
    printed = await run(room, ["-A", program, url, "", room.path]);
  }
  const lines = room.text().split("\n");
  const mixed = lines.map((line, at) => at > 2 ? line.replaceAll('"http_version":"2"', '"http_version":"1.1"') : line);
  Deno.writeTextFileSync(room.path, mixed.join("\n"));
  deepEqual(await run(room, [...hermetic(room), program, url, "", room.path]), printed);
});

Deno.test("withReplay() records an origin that speaks nothing but HTTP/2, with the headers of Deno's fetch", async () => {
  using room = new CassetteRoom();
  await using origin = await startHttp2(echo);
  const url = `https://${origin.host}/`;
  const { printed, path } = await recordByProxy(room, url);
  deepEqual(await run(room, ["-A", program, url, "", room.path]), printed);
  const asked = ({ key, request: { body: _body, ...head } }: Step) => ({ key, ...head });
  deepEqual(stepsOf(room.path).map(asked), stepsOf(path).map(asked));
});

Deno.test("withReplay() and a preload replay what `agrepl record` wrote of HTTP/2", async () => {
  using room = new CassetteRoom();
  const { url, printed, path } = await (async () => {
    await using origin = await startHttp2(echo);
    const url = `https://${origin.host}/`;
    return { url, ...await recordByProxy(room, url, "client") };
  })();
  deepEqual(await run(room, [...hermetic(room), program, url, "client", path]), printed);
  const report = join(room.folder, "report.json");
  const order = { [preloadVariable]: formatPreloadOrder({ trace: path, report }) };
  deepEqual(await run(room, ["-A", "--deny-net", "--preload", preload, program, url, "client"], order), printed);
  deepEqual(parsePreloadOutcome(Deno.readTextFileSync(report)).diverged, []);
});

Deno.test("`agrepl replay` replays what withReplay() wrote of HTTP/2", async () => {
  using room = new CassetteRoom();
  let url = "";
  let printed: string[] = [];
  {
    await using origin = await startHttp2(echo);
    url = `https://${origin.host}/`;
    printed = await run(room, ["-A", program, url, "", room.path]);
  }
  deepEqual(await run(room, ["-A", cli, "replay", "--isolation", "proxy", room.path, "--", ...child, url]), printed);
});
