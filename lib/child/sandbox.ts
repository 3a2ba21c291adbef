/**
 * A box of the kernel's for the child (Linux, without root): a network that holds nothing but loopback, on which every
 * address leads to agrepl.
 *
 * @module
 */
import { join } from "node:path";
import type { ForwarderReport, ForwarderSettings } from "../proxy/mod.ts";
import { RelayProcess } from "./_relay_process.ts";
import { isBelowRun } from "./_sandbox_plan.ts";
import { setUpLine } from "./_sandbox_script.ts";
import { doorOf, keptVariables, makeFolder, removeQuietly, spawnSetUp, type Tools } from "./_sandbox_set_up.ts";
import { findTool } from "./_tool.ts";
import { explainRefusal, type SandboxRefusal, thisMachine } from "./sandbox_refusal.ts";

/** What a sandbox is made for. */
export interface SandboxOptions {
  /** The variables that the child would have without agrepl. */
  readonly env: Readonly<Record<string, string>>;
  /** The folder that the child starts in. */
  readonly cwd: string;
  /** Unix sockets below `/run` that the child may use. */
  readonly sockets: readonly string[];
  /** Ports of this machine's loopback that the child may reach. */
  readonly locals: readonly number[];
}

/** What is only known when the proxy listens and the trace is open. */
export type SandboxSettings = Pick<ForwarderSettings, "proxyPort" | "ports" | "places">;

/** What a sandbox saw that led nowhere. */
export interface SandboxSightings {
  /** Names that were looked up. */
  readonly names: readonly string[];
  /** Addresses and ports that agrepl could not listen on, as sentences. */
  readonly unheard: readonly string[];
  /** Connections that found nobody at their port, the child's own services included; `null` when that is not known. */
  readonly refusedTcp: number | null;
  /** Datagrams likewise. */
  readonly refusedUdp: number | null;
}

/** The programs that make a sandbox, and the packages that have them. */
const packages = { unshare: "util-linux", nsenter: "util-linux", mount: "mount", ip: "iproute2" } as const;

/** A set-up takes some ten milliseconds. */
const patienceMs = 10_000;

/**
 * Waits for a file, or for the end of the sandbox. Between a process's start and its command's own, agrepl opens its door,
 * which a process that starts later would inherit, and gives up its permissions.
 */
const waiting = 'until [ -e "$0/go" ]; do [ -d "$0" ] || exit 1; sleep 0.002; done; exec "$@"';

/**
 * Begins to set a sandbox up; the child can enter it once it is {@link Sandbox.open}.
 *
 * @returns The sandbox, or why there can be none here.
 */
export function startSandbox(options: SandboxOptions): Sandbox | SandboxRefusal {
  if (Deno.build.os !== "linux") return refusal("it needs namespaces of Linux", "run agrepl in a Linux container");
  const hidden = [options.cwd, Deno.env.get("TMPDIR") ?? "/tmp"].find(isBelowRun);
  if (hidden !== undefined) return refusal(`it hides /run, where "${hidden}" lies`, "use a folder outside of /run");
  const found = findTools(options.env["PATH"]);
  if ("kind" in found) return found;
  try {
    return Sandbox.start(found, options);
  } catch (error) {
    if (!(error instanceof Error) || error instanceof TypeError) throw error;
    return refusal(`its files cannot be written (${error.message})`, "name another folder with TMPDIR");
  }
}

function findTools(path: string | undefined): Tools | SandboxRefusal {
  const find = (name: keyof typeof packages) => findTool(name, path) ?? "";
  const found = { unshare: find("unshare"), nsenter: find("nsenter"), mount: find("mount"), ip: find("ip") };
  const missing = (["unshare", "nsenter", "mount", "ip"] as const).find((name) => found[name] === "");
  if (missing === undefined) return found;
  return refusal(`there is no "${missing}"`, `install ${packages[missing]}, as with sudo apt-get install`);
}

function refusal(reason: string, remedy: string): SandboxRefusal {
  return { kind: "refusal", reason, remedy };
}

/** A sandbox; gone, with all it was made of, when it is disposed of or agrepl is killed. */
export class Sandbox implements AsyncDisposable {
  readonly #tools: Tools;
  readonly #folder: string;
  readonly #process: Deno.ChildProcess;
  /** What lets services of this machine in; `null` where none are. */
  readonly #relay: RelayProcess | null;
  readonly #locals: readonly number[];
  readonly #stdin: WritableStreamDefaultWriter<Uint8Array>;
  readonly #stderr: Promise<string>;
  readonly #stdout: Promise<void>;
  readonly #setUp = Promise.withResolvers<boolean>();
  readonly #ready = Promise.withResolvers<boolean>();
  readonly #names: string[] = [];
  readonly #unheard: string[] = [];
  readonly #counters: string[] = [];

  private constructor(tools: Tools, folder: string, process: Deno.ChildProcess, options: SandboxOptions) {
    const { locals, env } = options;
    this.#tools = tools;
    this.#folder = folder;
    this.#process = process;
    this.#locals = locals;
    this.#relay = locals.length === 0 ? null : new RelayProcess(folder, locals, keptVariables(env));
    this.#stdin = process.stdin.getWriter();
    this.#stderr = new Response(process.stderr).text();
    this.#stdout = this.#listen();
    void process.status.then(() => this.#setUp.resolve(false)); // no news by then: it failed
  }

  /** Starts the set-up. */
  static start(tools: Tools, options: SandboxOptions): Sandbox {
    const folder = makeFolder();
    try {
      return new Sandbox(tools, folder, spawnSetUp({ tools, folder, ...options }), options);
    } catch (error) {
      removeQuietly(folder);
      throw error;
    }
  }

  /** The unix socket that agrepl's proxy is to listen on, in a folder that nobody else may enter. */
  get door(): string {
    return doorOf(this.#folder);
  }

  /**
   * Waits until the sandbox stands and all in it listens.
   *
   * @returns `null`, or why it does not stand.
   */
  async open(settings: SandboxSettings): Promise<SandboxRefusal | null> {
    const own = { door: this.door, folder: this.#folder, locals: this.#locals };
    const line = `${JSON.stringify({ ...settings, ...own } satisfies ForwarderSettings)}\n`;
    const timer = setTimeout(() => this.#giveUp(), patienceMs);
    try {
      if (await this.#relay?.ready() === false) return refusal("its relay did not start", "leave --allow-local out");
      const stands = await this.#setUp.promise && await this.#listens(line);
      if (stands) return null;
      await this.#endStdin(); // or the forwarder would wait for its settings
      return explainRefusal(await this.#stderr, thisMachine);
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * Gives the command that runs another one in here, once it is released: as the same user in the same folder, without
   * any right over the namespaces that it is in.
   */
  enter(command: readonly string[], cwd: string): string[] {
    const { nsenter, unshare } = this.#tools;
    const into = ["--target", String(this.#process.pid), "--user", "--net", "--mount"];
    const as = [`--map-user=${Deno.uid() ?? 0}`, `--map-group=${Deno.gid() ?? 0}`, `--wd=${cwd}`];
    const entry = [nsenter, "--preserve-credentials", ...into, "--", unshare, ...as, "--", ...command];
    return ["/bin/sh", "-c", waiting, this.#folder, ...entry];
  }

  /** Lets the command go on that {@link enter} gave: until then it waits. */
  release(): void {
    Deno.writeTextFileSync(join(this.#folder, "go"), "");
  }

  /** Ends the sandbox; whatever of the child is left in it reaches nobody from then on. */
  async close(): Promise<SandboxSightings> {
    await this[Symbol.asyncDispose]();
    const count = (protocol: string, name: string) => readCounter(this.#counters, protocol, name);
    return {
      names: this.#names,
      unheard: this.#unheard,
      refusedTcp: count("Tcp:", "AttemptFails"),
      refusedUdp: count("Udp:", "NoPorts"),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#endStdin();
    await this.#relay?.[Symbol.asyncDispose]();
    await Promise.all([this.#process.status, this.#stdout, this.#stderr]);
    removeQuietly(this.#folder);
  }

  async #listens(settings: string): Promise<boolean> {
    await this.#stdin.write(new TextEncoder().encode(settings)).catch(() => {}); // gone already: stderr says why
    return await this.#ready.promise;
  }

  async #endStdin(): Promise<void> {
    await this.#stdin.close().catch(() => {}); // closed already, or its reader has gone
  }

  async #listen(): Promise<void> {
    let rest = "";
    for await (const text of this.#process.stdout.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) this.#take(line);
    }
    this.#ready.resolve(false); // nothing, where it was ready before
  }

  #take(line: string): void {
    if (line === setUpLine) return this.#setUp.resolve(true);
    if (!line.startsWith("{")) return void this.#counters.push(line);
    const report: ForwarderReport = JSON.parse(line);
    if (report.kind === "ready") this.#ready.resolve(true);
    else if (report.kind === "name") this.#names.push(report.name);
    else this.#unheard.push(`Cannot listen on ${report.place} in the sandbox: ${report.reason}`);
  }

  /** It is stuck: all of its session goes. */
  #giveUp(): void {
    this.#setUp.resolve(false);
    this.#ready.resolve(false);
    try {
      Deno.kill(-this.#process.pid, "SIGKILL");
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error; // it has ended
    }
  }
}

/** Reads one of `/proc/net/snmp`: a line of names, then a line of values, both behind the protocol's name. */
function readCounter(lines: readonly string[], protocol: string, name: string): number | null {
  const [names, values] = lines.map((line) => line.split(" ")).filter(([first]) => first === protocol);
  const value = values?.[names?.indexOf(name) ?? -1];
  return value === undefined ? null : Number(value);
}
