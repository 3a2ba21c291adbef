/**
 * The demo: an agent is recorded against a live world, the world is stopped, and the agent runs again without noticing.
 *
 *     deno task demo
 *
 * Needs no key and no network but loopback, works in a folder of its own that it removes, and checks each of its claims:
 * the exit code is 0 when all of them hold, else 1.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { styleText } from "node:util";

const deno = Deno.execPath();
const cli = fileURLToPath(new URL("../../cli.ts", import.meta.url));
const config = fileURLToPath(new URL("../../deno.json", import.meta.url));
const worldProgram = fileURLToPath(new URL("../../bench/world/main.ts", import.meta.url));
const agent = fileURLToPath(new URL("agent.ts", import.meta.url));
const agentUrl = new URL("agent.ts", import.meta.url).href;

/** Looks like a key, and nobody has issued it. */
const apiKey = "sk-demo-4f1c0b7e92d84a6fb3aa";
const otherQuestion = "What is known about sundials?";

/** A claim of the demo that turned out to be wrong. */
class ClaimError extends Error {
  override readonly name = "ClaimError";
}

/** A command that has ended, as its caller saw it. */
interface Ended {
  readonly code: number;
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
  readonly ms: number;
}

/** Where the demo takes place. */
interface Stage {
  readonly folder: string;
  readonly world: World;
}

/** What the first run left behind. */
interface Live {
  readonly ended: Ended;
  readonly report: Uint8Array;
}

async function main(): Promise<void> {
  const startMs = performance.now();
  await using stack = new AsyncDisposableStack();
  const folder = await Deno.makeTempDir({ prefix: "agrepl-demo-" });
  stack.defer(() => Deno.remove(folder, { recursive: true }));
  title("1. Prepare");
  await prepare();
  const world = await World.start();
  stack.defer(() => world.stop());
  say(`a world listens at ${world.origin}: a language model and a search engine, never twice the same answer`);

  const stage = { folder, world };
  const live = await record(stage);
  await stop(world);
  using doorbell = new Doorbell(world.port);
  say("in its place a listener counts whoever still tries to reach it");
  await replay(stage, live);
  await askAnother(stage);
  title("5. And the network?");
  claim("not one connection reached the world's address since it stopped", doorbell.rings === 0);
  say(`all claims hold; ${((performance.now() - startMs) / 1000).toFixed(1)} s`);
}

/**
 * Module downloads would go through the proxy and become steps, so they come first. With all modules here, deno still
 * asks the registry about packages in the background; `--cached-only`, on every command below, keeps it from that.
 */
async function prepare(): Promise<void> {
  say("fetching what the agent and agrepl import, unless it is here already");
  const { code } = await show(["cache", "--quiet", agent, cli, worldProgram], {});
  claim("all modules are here", code === 0);
}

async function record(stage: Stage): Promise<Live> {
  title("2. Record: the agent talks to the live world");
  say("agrepl record -- deno run --cached-only -A agent.ts report.md");
  const options = ["--upstream-ca", stage.world.ca, "--report", "record.json"];
  const child = [deno, "run", "--cached-only", "-A", agent, "report.md"];
  const ended = await agrepl(stage, ["record", ...options, "--", ...child], apiKey);
  claim("the agent ended with 0", ended.code === 0);
  const report = await Deno.readFile(join(stage.folder, "report.md"));
  const { steps } = await readJson(join(stage.folder, "record.json"));
  claim("3 steps were recorded: question, search, answer", steps === 3);
  claim("the API key stands in no file of .agrepl", !(await holds(join(stage.folder, ".agrepl"), apiKey)));
  return { ended, report };
}

async function stop(world: World): Promise<void> {
  title("3. Stop the world, and run the agent again");
  await world.stop();
  claim(`a connection to port ${world.port} is refused`, await isRefused(world.port));
}

async function replay(stage: Stage, live: Live): Promise<void> {
  const path = join(stage.folder, "report.md");
  await Deno.remove(path);
  say("agrepl run latest    (OPENAI_API_KEY is empty now)");
  const ended = await agrepl(stage, ["run", "--report", "replay.json", "latest"], "");
  claim("the agent ended with 0", ended.code === 0);
  claim(
    `its ${ended.stdout.length} bytes of output are the same`,
    Buffer.compare(ended.stdout, live.ended.stdout) === 0,
  );
  const report = await Deno.readFile(path);
  claim(`its report.md is the same, all ${report.length} bytes`, Buffer.compare(report, live.report) === 0);
  const { fidelity, hits, network_calls: calls } = await readJson(join(stage.folder, "replay.json"));
  claim("3 of 3 steps were served from the trace, and F = 1.0", hits === 3 && fidelity === 1);
  claim("agrepl itself made 0 network calls", calls === 0);
  say(`${Math.round(live.ended.ms)} ms live, ${Math.round(ended.ms)} ms replayed, start-up of both processes included`);
}

/** The agent's failure is swallowed on purpose: that is when a divergence would go unnoticed. */
async function askAnother(stage: Stage): Promise<void> {
  title("4. Ask another question than the recorded one");
  say(`agrepl replay latest -- (the agent, its failure swallowed) report.md "${otherQuestion}"`);
  const careless = `await import("${agentUrl}").catch(() => console.log("the agent failed, and nobody cares"))`;
  const child = [deno, "eval", "--cached-only", "--config", config, careless, "report.md", otherQuestion];
  const ended = await agrepl(stage, ["replay", "latest", "--report", "miss.json", "--", ...child], "");
  const explanation = Buffer.from(ended.stderr).toString();
  claim("agrepl says what was asked and what differs", explanation.includes(`-> "${otherQuestion}"`));
  claim("and names the rule that would make it match", explanation.includes("--ignore-json '#/messages/1/content'"));
  const { misses, network_calls: calls } = await readJson(join(stage.folder, "miss.json"));
  claim("it counted 1 miss and made 0 network calls", Array.isArray(misses) && misses.length === 1 && calls === 0);
  claim("the exit code is 3, although the child ended with 0", ended.code === 3);
}

/** Runs the CLI in the demo's folder. */
function agrepl(stage: Stage, args: readonly string[], key: string): Promise<Ended> {
  return show(["run", "--cached-only", "-A", "--config", config, cli, ...args], {
    cwd: stage.folder,
    env: {
      AGREPL_DIR: join(stage.folder, ".agrepl"),
      OPENAI_API_KEY: key,
      OPENAI_BASE_URL: `${stage.world.origin}/v1`,
      SEARCH_URL: `${stage.world.origin}/search`,
    },
  });
}

/** Runs deno, keeps what it writes, and shows it while it comes. */
async function show(
  args: string[],
  options: { readonly cwd?: string; readonly env?: Record<string, string> },
): Promise<Ended> {
  const startMs = performance.now();
  const child = new Deno.Command(deno, { args, ...options, stdin: "null", stdout: "piped", stderr: "piped" }).spawn();
  const margin = new Margin();
  const keep = async (stream: ReadableStream<Uint8Array>): Promise<Uint8Array> => {
    const pieces: Uint8Array[] = [];
    const decoder = new TextDecoder();
    for await (const piece of stream) {
      pieces.push(piece);
      margin.write(decoder.decode(piece, { stream: true }));
    }
    return Buffer.concat(pieces);
  };
  const [stdout, stderr, { code }] = await Promise.all([keep(child.stdout), keep(child.stderr), child.status]);
  margin.end();
  return { code, stdout, stderr, ms: performance.now() - startMs };
}

/** Sets another program's output off from the demo's own, line by line, without holding it back. */
class Margin {
  #inLine = false;

  write(text: string): void {
    for (const part of text.split(/(?<=\n)/)) {
      if (part === "") continue;
      process.stdout.write((this.#inLine ? "" : `   ${paint("dim", "|")} `) + part);
      this.#inLine = !part.endsWith("\n");
    }
  }

  end(): void {
    if (this.#inLine) process.stdout.write("\n");
  }
}

/** The live world, as a process of its own that ends when its stdin does. */
class World {
  readonly origin: string;
  /** The certificate to trust, as a PEM file. */
  readonly ca: string;
  readonly #process: Deno.ChildProcess;
  #stopping: Promise<void> | undefined;

  private constructor(process: Deno.ChildProcess, { origin, ca }: { readonly origin: string; readonly ca: string }) {
    this.#process = process;
    this.origin = origin;
    this.ca = ca;
  }

  static async start(): Promise<World> {
    const args = ["run", "--cached-only", "-A", "--config", config, worldProgram];
    const process = new Deno.Command(deno, { args, stdin: "piped", stdout: "piped" }).spawn();
    let line = "";
    for await (const text of process.stdout.pipeThrough(new TextDecoderStream())) {
      line += text;
      if (line.includes("\n")) break;
    }
    return new World(process, JSON.parse(line));
  }

  get port(): number {
    return Number(new URL(this.origin).port);
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#process.stdin.close().then(() => this.#process.status).then(() => {});
    return this.#stopping;
  }
}

/** Listens where the world was, and counts connections. */
class Doorbell implements Disposable {
  readonly #listener: Deno.Listener;
  rings = 0;

  constructor(port: number) {
    this.#listener = Deno.listen({ hostname: "127.0.0.1", port });
    void this.#count();
  }

  async #count(): Promise<void> {
    for await (const connection of this.#listener) {
      this.rings++;
      connection.close();
    }
  }

  [Symbol.dispose](): void {
    this.#listener.close();
  }
}

async function isRefused(port: number): Promise<boolean> {
  try {
    using _connection = await Deno.connect({ hostname: "127.0.0.1", port });
    return false;
  } catch (error) {
    return error instanceof Deno.errors.ConnectionRefused;
  }
}

async function holds(folder: string, text: string): Promise<boolean> {
  for await (const entry of Deno.readDir(folder)) {
    const path = join(folder, entry.name);
    const found = entry.isDirectory ? await holds(path, text) : (await Deno.readTextFile(path)).includes(text);
    if (found) return true;
  }
  return false;
}

async function readJson(path: string): Promise<Record<string, unknown>> {
  return JSON.parse(await Deno.readTextFile(path));
}

function claim(text: string, isTrue: boolean): void {
  if (!isTrue) throw new ClaimError(text);
  console.log(`   ${paint("green", "ok")} ${text}`);
}

function title(text: string): void {
  console.log(`\n${paint("bold", text)}`);
}

function say(text: string): void {
  console.log(`   ${text}`);
}

function paint(style: "bold" | "dim" | "green" | "red", text: string): string {
  return Deno.stdout.isTerminal() && !Deno.noColor ? styleText(style, text, { validateStream: false }) : text;
}

try {
  await main();
} catch (error) {
  if (!(error instanceof ClaimError)) throw error;
  console.log(`   ${paint("red", "does not hold:")} ${error.message}`);
  Deno.exitCode = 1;
}
