/**
 * A network that a test makes for itself, with a world behind it that leads nowhere, and a child of agrepl in it that
 * tries every way out.
 *
 * @module
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, fromCache } from "../compat/build_cache.ts";
import { nodeCommand } from "../compat/programs.ts";
import { sandboxNeeds } from "./needs.ts";

/** What one attempt to escape gave: see programs/escapes.py. */
export type Escape = "recorded" | "told" | "stand-in" | "refused" | "OUTSIDE" | "HOST";

/** How the escapes went under one layer. */
export interface Breakout {
  /** agrepl's own exit code, and what it said. */
  readonly code: number;
  readonly stderr: string;
  /** By the escape's name. */
  readonly escapes: ReadonlyMap<string, string>;
  /** What a process that outlived agrepl found; `""` when it left nothing. */
  readonly leftOver: string;
  /** Every packet and connection that reached the world. */
  readonly world: readonly string[];
  /** Every connection that reached a service of the host. */
  readonly host: readonly string[];
}

/** The last Node whose fetch knows no proxy. */
const node20 = "20.20.2";

const root = fileURLToPath(new URL("../..", import.meta.url));
const programs = join(root, "tests", "isolation", "programs");

/** Variables without which neither Deno nor Python starts. */
const kept = ["PATH", "HOME", "DENO_DIR", "PYENV_ROOT"];

/** What the suite needs beside a sandbox: where Node comes from, and Go. */
export const needs = [...sandboxNeeds, "npm", "go", "bash"];

/** Runs all escapes in a strict replay, inside of an outer network. */
export async function breakOut(layer: string): Promise<Breakout> {
  const folder = await Deno.makeTempDir({ prefix: "escape-" });
  try {
    const { code, stdout, stderr } = await runInside(folder, layer);
    const lines = stdout.split("\n").map((line) => line.split("\t"));
    const escapes = new Map(lines.flatMap(([name = "", outcome]) => outcome === undefined ? [] : [[name, outcome]]));
    const [world, host] = [readLog(join(folder, "world.log")), readLog(join(folder, "host.log"))];
    return { code, stderr, escapes, leftOver: readText(join(folder, "left-over")), world, host };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function runInside(folder: string, layer: string) {
  const trace = join(root, "tests", "cli", "traces", "hello.ndjson");
  const agrepl = ["run", "-A", "--no-lock", join(root, "cli.ts"), "replay", trace, "--on-exhausted", "last"];
  const child = ["--isolation", layer, "--"];
  const escape = ["sh", "-c", 'python3 "$0" "$1" "$PPID"', join(programs, "escapes.py"), folder];
  const outer = ["bash", join(programs, "outer.sh"), folder, Deno.execPath(), ...agrepl, ...child, ...escape];
  const namespaces = [
    "--user",
    "--map-root-user",
    "--net",
    "--mount",
    "--pid",
    "--fork",
    "--kill-child",
    "--mount-proc",
  ];
  const { code, stdout, stderr } = await new Deno.Command("unshare", {
    args: [...namespaces, ...outer],
    cwd: folder,
    clearEnv: true,
    env: {
      ...environment(),
      DENO_NO_UPDATE_CHECK: "1",
      NODE: await nodeCommand(node20),
      DIAL_GO: await goDial(),
      DIAL_MJS: join(programs, "dial.mjs"),
    },
  }).output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

/** Compiles the static Go client. */
async function goDial(): Promise<string> {
  const cwd = join(programs, "dial");
  const folder = await fromCache({
    name: "dial",
    inputs: [await Deno.readTextFile(join(cwd, "main.go"))],
    make: (folder) => build(["go", "build", "-o", join(folder, "dial"), "."], { cwd, env: { CGO_ENABLED: "0" } }),
  });
  return join(folder, "dial");
}

function environment(): Record<string, string> {
  return Object.fromEntries(kept.flatMap((name) => {
    const value = Deno.env.get(name);
    return value === undefined ? [] : [[name, value]];
  }));
}

function readLog(path: string): string[] {
  return readText(path).split("\n").filter((line) => line !== "" && line !== "ready");
}

function readText(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return "";
    throw error;
  }
}
