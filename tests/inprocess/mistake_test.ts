import { deepEqual, equal, match, rejects } from "node:assert/strict";
import { join } from "node:path";
import { CassetteInUseError, replayOn } from "../../lib/inprocess/mod.ts";
import { CassetteRoom, Loopback, openHost } from "./room.ts";

const pathOf = ({ url }: Request) => new Response(new URL(url).pathname);

const wrong: Readonly<Record<string, readonly [options: unknown, message: RegExp]>> = {
  "null": [null, /^Cannot use null as a cassette: expected a path, a file: URL, a test's context or options$/],
  "{}": [{}, /^Cannot use options without a path as a cassette: expected/],
  "a path that is none": [{ path: 7 }, /^Cannot use 7 as a cassette's path: expected/],
  "a name that is none": [{ ignoreHeaders: [] }, /^Cannot use option "ignoreHeaders": there is none.*ignoreQuery/],
  'isolation "revoked"': [
    { isolation: "revoked" },
    /^Cannot use "revoked" for isolation: expected "auto" or "revoke"$/,
  ],
  "redact true": [{ redact: true }, /^Cannot use true for redact: expected a list of RegExps, or false$/],
  "redact of strings": [{ redact: ["a"] }, /^Cannot use a list for redact: expected a list of RegExps, or false$/],
  "ignoreQuery of a string": [{ ignoreQuery: "a" }, /^Cannot use "a" for ignoreQuery: expected a list of strings$/],
  "ignoreText without pattern": [
    { ignoreText: [{ url: "x" }] },
    /for ignoreText: expected a list of strings or objects/,
  ],
  "allowUnused 1": [{ allowUnused: 1 }, /^Cannot use 1 for allowUnused: expected true or false$/],
  "timing slow": [{ timing: "slow" }, /for timing: expected "none", "recorded" or a factor$/],
  "timing 0": [{ timing: 0 }, /pace 0: expected a factor above 0/],
  "onExhausted never": [{ onExhausted: "never" }, /for onExhausted: expected "fail", "last" or "cycle"$/],
  "mode rec": [{ mode: "rec" }, /^Cannot use the option mode "rec": expected/],
};

for (const [what, [options, message]] of Object.entries(wrong)) {
  Deno.test(`withReplay() refuses ${what} in one sentence, and calls nothing`, async () => {
    using room = new CassetteRoom();
    const bare = options === null || Object.keys(Object(options)).length === 0 || "path" in Object(options);
    const given = bare ? options : { path: room.path, ...Object(options) };
    let calls = 0;
    await rejects(
      replayOn(openHost, given as string, () => ++calls),
      (error) => (error instanceof TypeError || error instanceof RangeError) && message.test(error.message),
    );
    equal(calls, 0);
  });
}

Deno.test("withReplay() refuses to be called without a function", async () => {
  using room = new CassetteRoom();
  const none = undefined as unknown as () => void;
  await rejects(
    replayOn(openHost, room.path, none),
    /^TypeError: Cannot use undefined as what is recorded: expected a fun/,
  );
});

Deno.test("withReplay() writes nothing where nothing was captured, and says what may be why", async () => {
  await using server = new Loopback(pathOf);
  using room = new CassetteRoom();
  const kept = globalThis.fetch;
  const run = async () => await (await kept(server.url("/a"))).text();
  await rejects(room.record(run), (error) => {
    match(String(error), /^TypeError: Cannot record .*nothing.*was captured.*made before withReplay\(\).*\.\.\.args/);
    return true;
  });
  deepEqual([...Deno.readDirSync(room.folder)], []);
});

Deno.test("withReplay() keeps the cassette that is there when nothing was captured", async () => {
  using room = new CassetteRoom();
  await room.record((t) => t.tool("a", 1, () => 1));
  const before = room.text();
  await rejects(room.recordAnew(() => 1), /nothing that its function asked was captured/);
  equal(room.text(), before);
});

Deno.test("withReplay() refuses to record a cassette that another function has recorded before", async () => {
  using room = new CassetteRoom();
  await room.record((t) => t.tool("a", 1, () => 1));
  const before = room.text();
  await rejects(
    room.record((t) => t.tool("b", 1, () => 1)),
    (error) =>
      error instanceof CassetteInUseError && /another function of this process has recorded/.test(error.message),
  );
  equal(room.text(), before);
  equal(await room.replay((t) => t.tool("a", 1, () => 2)), 1);
});

Deno.test("withReplay() refuses to record two tests whose names give one file", async (t) => {
  using room = new CassetteRoom();
  const origin = `file://${join(room.folder, "x_test.ts")}`;
  const record = (name: string) =>
    replayOn(openHost, { path: { ...t, origin, name }, mode: "record" }, (scope) => scope.tool("a", 1, () => 1));
  await record("asks twice");
  await rejects(record("asks: twice"), CassetteInUseError);
});

Deno.test("withReplay() lets a function record again that has failed, or whose cassette is gone", async () => {
  using room = new CassetteRoom();
  await rejects(room.record(() => Promise.reject(new RangeError("no"))), RangeError);
  equal(await room.record((t) => t.tool("a", 1, () => 1)), 1);
  Deno.removeSync(room.path);
  equal(await room.record((t) => t.tool("a", 1, () => 2)), 2);
});

/** Runs a program of one line behind the import, in the room's folder. */
async function runIn(room: CassetteRoom, line: string, permissions: readonly string[]) {
  const mod = new URL("../../mod.ts", import.meta.url).href;
  Deno.writeTextFileSync(join(room.folder, "program.ts"), `import { withReplay } from "${mod}";\n${line}`);
  const args = ["run", "--no-lock", "--no-check", "--no-prompt", ...permissions, "program.ts"];
  const env = { CI: "", NO_COLOR: "1" };
  const { code, stdout } = await new Deno.Command(Deno.execPath(), { args, env, cwd: room.folder }).output();
  return { code, printed: new TextDecoder().decode(stdout) };
}

Deno.test("withReplay() says before its function runs that the cassette may not be written", async () => {
  using room = new CassetteRoom();
  const line = `await withReplay({ path: "c.ndjson", mode: "record" }, () => console.log("called")).catch((error) =>
    console.log(error.name, error.message.replace(/".*"/, "it")));`;
  const { printed } = await runIn(room, line, ["--allow-read", "--allow-env", "--allow-net"]);
  equal(printed, "NotCapable Cannot record it: it may not be written, expected --allow-write for its folder\n");
});

Deno.test("withReplay() finds its cassette when the function changes the folder", async () => {
  using room = new CassetteRoom();
  const line = `await withReplay({ path: "c.ndjson", mode: "record" }, async (t) => {
    Deno.mkdirSync("below");
    Deno.chdir("below");
    await t.tool("a", 1, () => 1);
  });`;
  deepEqual([(await runIn(room, line, ["-A"])).code, room.steps().length], [0, 1]);
});
