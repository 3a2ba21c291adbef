/**
 * A box of the kernel's for the child (Linux, without root): a network that holds nothing but loopback, on which every
 * address leads to agrepl.
 *
 * @module
 */
import { join } from "node:path";
import { forwarderModule, type ForwarderReport, type ForwarderSettings } from "../proxy/mod.ts";
import { isBelowRun, planSandbox } from "./_sandbox_plan.ts";
import { sandboxScript, setUpLine } from "./_sandbox_script.ts";
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
}

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
const tools = { unshare: "util-linux", nsenter: "util-linux", mount: "mount (or util-linux)", ip: "iproute2" } as const;

/** What starts Deno, and finds its cache. */
const keptVariables = ["PATH", "HOME", "DENO_DIR", "XDG_CACHE_HOME"];

/** A set-up takes some ten milliseconds. */
const patienceMs = 10_000;

type Tools = Readonly<Record<keyof typeof tools, string>>;

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
  return "kind" in found ? found : Sandbox.start(found, options);
}

function findTools(path: string | undefined): Tools | SandboxRefusal {
  const find = (name: keyof typeof tools) => findTool(name, path) ?? "";
  const found = { unshare: find("unshare"), nsenter: find("nsenter"), mount: find("mount"), ip: find("ip") };
  for (const [name, packages] of Object.entries(tools)) {
    if (Object.entries(found).some(([tool, place]) => tool === name && place === "")) {
      return refusal(
        `there is no "${name}"`,
        `install the package ${packages}: sudo apt-get install util-linux iproute2`,
      );
    }
  }
  return found;
}

function refusal(reason: string, remedy: string): SandboxRefusal {
  return { kind: "refusal", reason, remedy };
}

/** A sandbox; gone, with all it was made of, when it is disposed of or agrepl is killed. */
export class Sandbox implements AsyncDisposable {
  readonly #tools: Tools;
  readonly #folder: string;
  readonly #process: Deno.ChildProcess;
  readonly #stdin: WritableStreamDefaultWriter<Uint8Array>;
  readonly #stderr: Promise<string>;
  readonly #stdout: Promise<void>;
  readonly #setUp = Promise.withResolvers<boolean>();
  readonly #ready = Promise.withResolvers<boolean>();
  readonly #names: string[] = [];
  readonly #unheard: string[] = [];
  readonly #counters: string[] = [];

  private constructor(tools: Tools, folder: string, process: Deno.ChildProcess) {
    this.#tools = tools;
    this.#folder = folder;
    this.#process = process;
    this.#stdin = process.stdin.getWriter();
    this.#stderr = new Response(process.stderr).text();
    this.#stdout = this.#listen();
    void process.status.then(() => this.#setUp.resolve(false)); // no news by then: it failed
  }

  /** Starts the set-up. */
  static start(tools: Tools, options: SandboxOptions): Sandbox {
    const folder = Deno.makeTempDirSync({ prefix: "agrepl-box-" });
    const plan = planSandbox(options.env, options.sockets);
    for (const { name, text } of plan.standIns) Deno.writeTextFileSync(join(folder, name), text, { mode: 0o644 });
    Deno.mkdirSync(join(folder, "run"));
    const door = doorOf(folder);
    const script = sandboxScript({
      plan,
      folder,
      ip: tools.ip,
      forwarder: [Deno.execPath(), ...forwarderFlags(door), forwarderModule],
      portStart: Deno.uid() === 0 ? 0 : null, // root may listen anywhere; the child is root without its rights
    });
    const process = new Deno.Command(tools.unshare, {
      args: ["--user", "--map-root-user", "--net", "--mount", "--", "/bin/sh", "-c", script],
      clearEnv: true,
      env: { ...kept(options.env), DENO_NO_UPDATE_CHECK: "1", NO_COLOR: "1" },
      cwd: "/",
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
      detached: true, // a terminal's Ctrl-C is for the child, which may want to end in its own time
    }).spawn();
    return new Sandbox(tools, folder, process);
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
  async open(settings: Omit<ForwarderSettings, "door">): Promise<SandboxRefusal | null> {
    const line = `${JSON.stringify({ ...settings, door: this.door })}\n`;
    const timer = setTimeout(() => this.#kill(), patienceMs);
    try {
      const stands = await this.#setUp.promise && await this.#listens(line);
      if (stands) return null;
      await this.#endStdin(); // or the forwarder would wait for its settings
      return explainRefusal(await this.#stderr, thisMachine);
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * Gives the command that runs another one in here: as the same user in the same folder, without any right over the
   * namespaces that it is in.
   */
  enter(command: readonly string[], cwd: string): string[] {
    const { nsenter, unshare } = this.#tools;
    const into = ["--target", String(this.#process.pid), "--user", "--net", "--mount"];
    const as = [`--map-user=${Deno.uid() ?? 0}`, `--map-group=${Deno.gid() ?? 0}`, `--wd=${cwd}`];
    return [nsenter, "--preserve-credentials", ...into, "--", unshare, ...as, "--", ...command];
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

  #kill(): void {
    try {
      this.#process.kill("SIGKILL");
    } catch (error) {
      if (!(error instanceof TypeError)) throw error; // TypeError: it has ended
    }
  }
}

function doorOf(folder: string): string {
  return join(folder, "door");
}

function forwarderFlags(door: string): string[] {
  const modules = ["--no-config", "--no-lock", "--cached-only"];
  return [
    "run",
    ...modules,
    "--no-prompt",
    "--unstable-net",
    "--allow-net",
    `--allow-read=${door}`,
    `--allow-write=${door}`,
  ];
}

function kept(env: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(keptVariables.flatMap((name) => name in env ? [[name, env[name] ?? ""]] : []));
}

/** Reads one of `/proc/net/snmp`: a line of names, then a line of values, both behind the protocol's name. */
function readCounter(lines: readonly string[], protocol: string, name: string): number | null {
  const [names, values] = lines.map((line) => line.split(" ")).filter(([first]) => first === protocol);
  const value = values?.[names?.indexOf(name) ?? -1];
  return value === undefined ? null : Number(value);
}

function removeQuietly(folder: string): void {
  try {
    Deno.removeSync(folder, { recursive: true });
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error; // the sandbox has done it
  }
}
