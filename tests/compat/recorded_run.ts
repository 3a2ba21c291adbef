/** One command under agrepl, in a store of its own. */

import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** What a command under agrepl left behind. */
export interface Ended {
  readonly code: number;
  readonly stdout: string;
  /** The child's and agrepl's own. */
  readonly stderr: string;
  /** What `--report` wrote. */
  readonly report: Readonly<Record<string, unknown>>;
}

/** A folder for one store; disposing removes it. */
export interface Workplace extends AsyncDisposable {
  readonly folder: string;
  /** Writes a file into the folder and gives its path. */
  readonly write: (name: string, text: string) => Promise<string>;
  /**
   * Runs agrepl.
   *
   * @param args Its options, without `--report`.
   * @param command What stands behind `--`, where something does.
   */
  readonly agrepl: (args: readonly string[], command?: readonly string[]) => Promise<Ended>;
  /** What the requests of the only trace were spoken in. */
  readonly httpVersions: () => Promise<readonly string[]>;
}

const cli = fileURLToPath(new URL("../../cli.ts", import.meta.url));

/** Variables of this machine that commands need to be found and to start; none of them is about trust or proxies. */
const kept = ["PATH", "HOME", "TMPDIR", "LANG", "JAVA_HOME", "DENO_DIR", "PYENV_ROOT", "SystemRoot"];

/** Makes an empty folder to record in. */
export async function openWorkplace(): Promise<Workplace> {
  const folder = await Deno.makeTempDir({ prefix: "agrepl compat " }); // the blank is meant: paths of users have them
  return {
    folder,
    async write(name, text) {
      await Deno.writeTextFile(join(folder, name), text);
      return join(folder, name);
    },
    agrepl: (args, command) => runAgrepl(folder, args, command),
    httpVersions: () => readHttpVersions(join(folder, ".agrepl", "traces")),
    [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }),
  };
}

async function readHttpVersions(traces: string): Promise<string[]> {
  const [only] = await Array.fromAsync(Deno.readDir(traces));
  const text = await Deno.readTextFile(join(traces, only?.name ?? ""));
  return text.split("\n").filter((line) => line.startsWith('{"kind":"step"')).map((line) =>
    JSON.parse(line).request.http_version
  );
}

/** A run that takes longer hangs: the slowest compiles a Java file, which takes seconds. */
const patienceMs = 60_000;

async function runAgrepl(folder: string, args: readonly string[], command?: readonly string[]): Promise<Ended> {
  const [name = "", ...options] = args;
  const reportFile = join(folder, "report.json");
  await Deno.writeTextFile(reportFile, "{}");
  const tail = command === undefined ? [] : ["--", ...command];
  const hanging = new AbortController();
  const timer = setTimeout(() => hanging.abort(), patienceMs);
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-lock", cli, name, "--report", reportFile, ...options, ...tail],
    cwd: folder,
    env: { ...environment(), TMPDIR: folder },
    clearEnv: true,
    signal: hanging.signal,
  }).output();
  clearTimeout(timer);
  const report: unknown = JSON.parse(await Deno.readTextFile(reportFile));
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr), report: toRecord(report) };
}

function environment(): Record<string, string> {
  return Object.fromEntries(kept.flatMap((name) => {
    const value = Deno.env.get(name);
    return value === undefined ? [] : [[name, value]];
  }));
}

function toRecord(value: unknown): Record<string, unknown> {
  if (typeof value === "object" && value !== null) return { ...value };
  throw new TypeError(`Cannot read a report: it is ${JSON.stringify(value)}, expected an object`);
}
