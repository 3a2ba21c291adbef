import { deepEqual, equal, match } from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { formatPreloadOrder, parsePreloadOutcome, preloadVariable } from "../../lib/inprocess/mod.ts";
import { CassetteRoom, Loopback } from "./room.ts";

const preload = fileURLToPath(new URL("../../lib/inprocess/preload.ts", import.meta.url));
const doors = fileURLToPath(new URL("./doors_program.ts", import.meta.url));
const cli = fileURLToPath(new URL("../../cli.ts", import.meta.url));
const testFile = fileURLToPath(new URL("./preload_program.ts", import.meta.url));

interface Ended {
  readonly code: number;
  readonly output: string;
}

/** Runs a program in a preload over a cassette, with no permission for the network. */
async function preloaded(
  room: CassetteRoom,
  args: readonly string[],
  env: Record<string, string> = {},
  from: { readonly trace: string; readonly store?: string } = { trace: room.path },
): Promise<Ended> {
  const [command = "run", ...rest] = args;
  const order = formatPreloadOrder({ ...from, report: join(room.folder, "report.json") });
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [command, "--no-lock", "--no-check", "--no-prompt", "-A", "--deny-net", "--preload", preload, ...rest],
    env: { NO_COLOR: "1", [preloadVariable]: order, ...env },
  }).output();
  return { code, output: [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes)).join("") };
}

function outcomeOf(room: CassetteRoom) {
  return parsePreloadOutcome(Deno.readTextFileSync(join(room.folder, "report.json")));
}

/** Says the paths of requests, also over a WebSocket and as events. */
async function answer(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  if (pathname === "/socket") {
    const { socket, response } = Deno.upgradeWebSocket(request);
    socket.onmessage = ({ data }) => socket.send(data);
    return response;
  }
  await request.text();
  if (pathname !== "/events") return new Response(pathname);
  return new Response("data: a\n\n", { headers: { "content-type": "text/event-stream" } });
}

async function recordPaths(room: CassetteRoom, paths: readonly string[]): Promise<string> {
  await using server = new Loopback(answer);
  await room.record(async () => {
    for (const path of paths) await (await fetch(server.url(path))).text();
  });
  return server.url("/");
}

Deno.test("a preload replays a program that asks by every client, with no permission for the network", async () => {
  using room = new CassetteRoom();
  let url = "";
  {
    await using server = new Loopback(answer);
    url = server.url("/");
    const args = ["run", "--no-lock", "--no-check", "-A", doors, url, room.path];
    equal((await new Deno.Command(Deno.execPath(), { args, env: { CI: "" } }).output()).code, 0);
  }
  const { code, output } = await preloaded(room, ["run", doors, url]);
  equal(code, 0, output);
  const { hits, diverged, fidelity, misses } = outcomeOf(room);
  deepEqual([hits, diverged, fidelity, misses], [8, [], 1, []]);
});

Deno.test("a preload replays what `agrepl record` wrote, large bodies in a store's blobs included", async () => {
  using room = new CassetteRoom();
  const program = join(room.folder, "program.ts");
  const store = join(room.folder, ".agrepl");
  {
    await using server = new Loopback(() => new Response("x".repeat(200_000)));
    const source = `console.log((await (await fetch("${server.url("/large")}")).text()).length);`;
    Deno.writeTextFileSync(program, source);
    const args = ["run", "--no-lock", "--no-check", "-A", cli, "record", "--", Deno.execPath(), "run", "-A", program];
    const env = { AGREPL_DIR: store, NO_COLOR: "1" };
    equal((await new Deno.Command(Deno.execPath(), { args, env }).output()).code, 0);
  }
  const [{ name } = { name: "" }] = Deno.readDirSync(join(store, "traces"));
  const { code, output } = await preloaded(room, ["run", program], {}, { trace: join(store, "traces", name), store });
  deepEqual([code, output.trim()], [0, "200000"]);
  deepEqual(outcomeOf(room).diverged, []);
});

Deno.test("a preload replays a test file under `deno test`", async () => {
  using room = new CassetteRoom();
  const url = await recordPaths(room, ["/one", "/two"]);
  const { code, output } = await preloaded(room, ["test", testFile], { PRELOADED_URL: url });
  equal(code, 0, output);
  match(output, /1 passed/);
  deepEqual(outcomeOf(room).diverged, []);
});

const ends: Readonly<Record<string, readonly [source: string, code: number]>> = {
  "ends": ["", 0],
  "exits": ["Deno.exit(7);", 7],
  "throws": ["throw new RangeError('no');", 1],
  "rejects in passing": ["Promise.reject(new RangeError('no')); await new Promise((go) => setTimeout(go, 50));", 1],
  "throws from a timer": ["setTimeout(() => { throw new RangeError('no'); }, 1);", 1],
};

for (const [how, [source, expected]] of Object.entries(ends)) {
  Deno.test(`a preload tells what was missed when its program ${how}`, async () => {
    using room = new CassetteRoom();
    const url = await recordPaths(room, ["/one"]);
    const program = join(room.folder, "program.ts");
    Deno.writeTextFileSync(program, `await (await fetch("${url}other")).text();\n${source}`);
    const { code, output } = await preloaded(room, ["run", program]);
    equal(code, expected);
    match(output, /agrepl: .*GET .*other/);
    const { misses, unused } = outcomeOf(room);
    deepEqual([misses.map(({ miss }) => miss.method), unused], [["GET"], [0]]);
  });
}

Deno.test("a preload without an order does not let its program start", async () => {
  using room = new CassetteRoom();
  const program = join(room.folder, "program.ts");
  Deno.writeTextFileSync(program, "console.log('started');");
  const { code, output } = await preloaded(room, ["run", program], { [preloadVariable]: "" });
  equal(code, 1);
  match(output, /AGREPL_PRELOAD is not set/);
  equal(output.includes("started"), false);
});

for (const [flags, code] of [[["--deny-net"], 0], [["--deny-net=elsewhere.test"], 1], [[], 1]] as const) {
  Deno.test(`a preload that is to be offline, with ${flags[0] ?? "no denial"}, ends with ${code}`, async () => {
    using room = new CassetteRoom();
    await recordPaths(room, ["/one"]);
    const program = join(room.folder, "program.ts");
    Deno.writeTextFileSync(program, "");
    const order = formatPreloadOrder({ trace: room.path, report: join(room.folder, "report.json"), offline: true });
    const args = ["run", "--no-lock", "--no-check", "--no-prompt", "-A", ...flags, "--preload", preload, program];
    const env = { NO_COLOR: "1", [preloadVariable]: order };
    const ended = await new Deno.Command(Deno.execPath(), { args, env }).output();
    equal(ended.code, code);
    equal(new TextDecoder().decode(ended.stderr).includes("expected --deny-net"), code === 1);
  });
}
