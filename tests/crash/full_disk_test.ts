/** A disk that fills up under the recorder: a small tmpfs in a mount namespace of the test's own. */
import { deepEqual, equal, match, ok } from "node:assert/strict";
import { plain, type RawUpstream, startUpstream } from "../support/raw_upstream.ts";
import { Store } from "../../lib/store/mod.ts";
import { agrepl, get, Room } from "./recorder.ts";

/** The ways to such a namespace: as anybody, and as root where that is refused. */
const ways = [["--user", "--map-root-user", "--mount"], ["--mount"]];

/** The first way that this machine allows, or why it allows none. */
function findWay(): { readonly way: string | null; readonly refusal: string } {
  const refusals: string[] = [];
  for (const args of ways) {
    try {
      const { success, stderr } = new Deno.Command("unshare", {
        args: [...args, "sh", "-c", "mount -t tmpfs -o size=64k tmpfs /mnt"],
      }).outputSync();
      if (success) return { way: `unshare ${args.join(" ")}`, refusal: "" };
      refusals.push(new TextDecoder().decode(stderr).trim());
    } catch (error) {
      refusals.push(error instanceof Error ? error.message : String(error));
    }
  }
  return { way: null, refusal: refusals.join("; ") };
}

const { way, refusal } = findWay();
if (way === null) console.warn(`No small disk can be made here: ${refusal}`);

/** Text that is as long as it says, other at each place. */
function filling(bytes: number): string {
  return Array.from({ length: bytes / 10 }, (_, index) => String(index).padStart(10)).join("");
}

/** Answers `/small/…` in a word, `/inline/…` with what fits a line, `/large/…` with what becomes a blob. */
function startWorld(): Promise<RawUpstream> {
  return startUpstream(async (connection) => {
    while (!connection.ended) {
      const [, kind = "", rest = ""] = /^\S+ \/(\w+)(\S*)/.exec(await connection.request()) ?? [];
      const bytes = { small: 10, inline: 60_000, large: 300_000 }[kind] ?? 0;
      connection.send(plain(`${kind}${rest} ${filling(bytes)}`));
    }
  });
}

function expected(path: string): string {
  const [, kind = "", rest = ""] = /^\/(\w+)(\S*)/.exec(path) ?? [];
  const bytes = { small: 10, inline: 60_000, large: 300_000 }[kind] ?? 0;
  return `200 ${kind}${rest} ${filling(bytes)}`.trimEnd();
}

const paths = [
  ...["/small/1", "/small/2", "/inline/1", "/large/1"],
  ...["/inline/2", "/inline/3", "/inline/4", "/inline/5", "/large/2", "/small/3", "/inline/6"],
];

/** Records into a disk of 300 KiB, and copies what is on it to `kept` before it goes. */
async function recordOnSmallDisk(room: Room, urls: string) {
  room.write(
    "record.sh",
    `mount -t tmpfs -o size=300k tmpfs small
AGREPL_DIR=small/.agrepl ${agrepl} record -- ${get} ${urls}
code=$?
cp -r small/.agrepl kept
exit $code
`,
  );
  Deno.mkdirSync(room.path("small"));
  return await room.run(`exec ${way} sh record.sh`);
}

Deno.test({
  name: "a disk that fills up breaks none of the child's traffic, is told once, and what was recorded before replays",
  ignore: way === null && Deno.env.get("CI") === undefined,
  async fn() {
    ok(way !== null, `No small disk can be made here: ${refusal}`);
    await using world = await startWorld();
    using room = new Room();
    const origin = `http://${world.host}`;
    const { code, stdout, stderr } = await recordOnSmallDisk(room, paths.map((path) => origin + path).join(" "));
    equal(stdout, paths.map((path) => `${expected(path)}\n`).join(""));
    equal(code, 5);
    equal(stderr.match(/no space left on device/gi)?.length, stderr.includes("could not be ended") ? 2 : 1, stderr);
    match(stderr, /Not recorded: GET \S+ and \d+ more: .*Make room for ".*small\/\.agrepl", or name another folder/);
    await checkKept(room, origin);
  },
});

/** No half line, no file of a half body, and a replay of what came before. */
async function checkKept(room: Room, origin: string): Promise<void> {
  const store = new Store(room.path("kept"));
  const found = store.find("latest");
  ok(Deno.readTextFileSync(found.path).endsWith("}\n"), "half a line stayed");
  using trace = store.open(found);
  const urls = trace.entries.map((entry) => trace.step(entry).request.url);
  const kept = paths.filter((path) => urls.includes(origin + path));
  deepEqual([trace.warnings, kept.slice(0, 3)], [[], paths.slice(0, 3)]);
  ok(kept.length < paths.length, "the disk was large enough for all");
  deepEqual(unnamedBlobs(store.layout.blobs), []);
  const command = `${get} ${kept.map((path) => origin + path).join(" ")}`;
  const { stdout, stderr } = await room.run(`AGREPL_DIR=kept ${agrepl} replay latest -- ${command}`);
  equal(stdout, kept.map((path) => `${expected(path)}\n`).join(""));
  match(stderr, /exact, F = 1\.0/);
}

function unnamedBlobs(folder: string): string[] {
  try {
    return [...Deno.readDirSync(folder)].filter(({ isFile }) => isFile).map(({ name }) => name);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}
