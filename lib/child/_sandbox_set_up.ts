import { join } from "node:path";
import { forwarderModule, localSocketOf } from "../proxy/mod.ts";
import { planSandbox } from "./_sandbox_plan.ts";
import { sandboxScript } from "./_sandbox_script.ts";

/** Where the programs are that a sandbox is made with. */
export interface Tools {
  readonly unshare: string;
  readonly nsenter: string;
  readonly mount: string;
  readonly ip: string;
}

/** What a set-up begins with. */
export interface SetUpOptions {
  readonly tools: Tools;
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly sockets: readonly string[];
  readonly locals: readonly number[];
}

/** What starts Deno, and finds its cache. */
const kept = ["PATH", "HOME", "DENO_DIR", "XDG_CACHE_HOME"];

/** The path of a unix socket has 107 bytes at most; our own folders and names take 35 of them. */
const longestParent = 70;

/** Starts the first process of a sandbox. */
export function spawnSetUp({ tools, folder, env, sockets, locals }: SetUpOptions): Deno.ChildProcess {
  const plan = planSandbox(env, sockets);
  for (const { name, text } of plan.standIns) Deno.writeTextFileSync(join(folder, name), text, { mode: 0o644 });
  Deno.mkdirSync(join(folder, "run"));
  const doors = [doorOf(folder), ...locals.map((port) => localSocketOf(folder, port))];
  const script = sandboxScript({
    plan,
    folder,
    ip: tools.ip,
    forwarder: [Deno.execPath(), ...forwarderFlags(doors), forwarderModule],
    portStart: Deno.uid() === 0 ? 0 : null, // root may listen anywhere; the child is root without its rights
  });
  return new Deno.Command(tools.unshare, {
    args: ["--user", "--map-root-user", "--net", "--mount", "--", "/bin/sh", "-c", script],
    clearEnv: true,
    env: { ...keptVariables(env), DENO_NO_UPDATE_CHECK: "1", NO_COLOR: "1" },
    cwd: "/",
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
    detached: true, // a terminal's Ctrl-C is for the child, which may want to end in its own time
  }).spawn();
}

/** Where the system's own place for such folders has a long name, `/tmp` has a short one. */
export function makeFolder(): string {
  const long = (Deno.env.get("TMPDIR") ?? "").length > longestParent;
  return Deno.makeTempDirSync({ prefix: "agrepl-box-", ...(long ? { dir: "/tmp" } : {}) });
}

/** The unix socket of agrepl's proxy in a sandbox's folder. */
export function doorOf(folder: string): string {
  return join(folder, "door");
}

/** Removes a sandbox's folder, unless the sandbox has done it. */
export function removeQuietly(folder: string): void {
  try {
    Deno.removeSync(folder, { recursive: true });
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error; // the sandbox has done it
  }
}

/** The variables that a program of agrepl's own needs to start. */
export function keptVariables(env: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(kept.flatMap((name) => name in env ? [[name, env[name] ?? ""]] : []));
}

function forwarderFlags(sockets: readonly string[]): string[] {
  const modules = ["--no-config", "--no-lock", "--cached-only"];
  return [
    "run",
    ...modules,
    "--no-prompt",
    "--unstable-net",
    "--allow-net",
    `--allow-read=${sockets}`,
    `--allow-write=${sockets}`,
  ];
}
