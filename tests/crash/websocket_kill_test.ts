/** kill -9 of the recorder while a socket talks: its lines are there, and what they hold was said. */
import { deepEqual, equal, match, ok } from "node:assert/strict";
import { Store } from "../../lib/store/mod.ts";
import { openSocket, startSocketServer } from "../support/wire_peer.ts";
import { agrepl, endProcess, Room } from "./recorder.ts";

const kills = 4;

const agent = `echo "$$ $http_proxy" > started; exec sleep 60\n`;

/** Says `count N` to each message, and something now and then by itself. */
function startWorld() {
  return startSocketServer(async (peer) => {
    let count = 0;
    for (let seen = await peer.saw(); seen !== "end"; seen = await peer.saw()) peer.text(`count ${count++}`);
  });
}

/** Talks until the recorder is gone; gives how many answers came. */
async function talk(proxyPort: number, host: string): Promise<number> {
  await using peer = await openSocket(proxyPort, { host });
  for (let count = 0;; count++) {
    peer.text(`message ${count}`);
    if (await peer.saw() === "end") return count;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

function growing(room: Room): string {
  const folder = room.path(".agrepl/runs");
  const [file] = [...Deno.readDirSync(folder)].filter(({ name }) => name.endsWith(".ndjson"));
  return Deno.readTextFileSync(`${folder}/${file?.name}`);
}

/** Records a talk, kills the recorder, and gives how many answers had come. */
async function talkAndKill(room: Room, host: string, aliveMs: number): Promise<number> {
  room.write("agent.sh", agent);
  await using recorder = room.start(`exec ${agrepl} record -- sh agent.sh`, "null");
  const [child = "", proxy = ""] = (await room.line("started")).split(" ");
  const talking = talk(Number(/:(\d+)/.exec(proxy)?.[1]), host);
  await new Promise((resolve) => setTimeout(resolve, aliveMs));
  const before = growing(room);
  recorder.kill("SIGKILL");
  await recorder.status;
  endProcess(Number(child));
  const answers = await talking;
  ok(growing(room).startsWith(before), "a line that was written has changed");
  return answers;
}

function checkTrace(room: Room, answers: number): void {
  const store = new Store(room.path(".agrepl"));
  using trace = store.open(store.find("latest"));
  for (const warning of trace.warnings) match(warning, /^The last line of .* is torn; it is left out$/);
  const [response] = trace.entries.map((entry) => trace.step(entry).response);
  const texts = (response?.frames ?? []).map(([, , , payload]) =>
    payload !== null && "text" in payload && payload.text
  );
  const said = texts.map((_, index) => `${index % 2 === 0 ? "message" : "count"} ${Math.floor(index / 2)}`);
  deepEqual(texts, said);
  equal(response?.end, "open");
  // A line a second, half a second until it is due; twice that for a machine in use.
  ok(answers - texts.length / 2 < 300, `${texts.length / 2} of ${answers} answers are there`);
}

Deno.test({
  name: `kill -9 of the recorder at ${kills} random moments of a WebSocket loses no frame already written`,
  ignore: Deno.build.os === "windows", // there is no sh
  async fn() {
    await using world = await startWorld();
    await Promise.all(Array.from({ length: kills }, async () => {
      using room = new Room();
      checkTrace(room, await talkAndKill(room, world.host, 3200 + Math.random() * 2000));
    }));
  },
});
