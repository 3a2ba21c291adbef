import { join, resolve } from "node:path";
import { type DenoCommand, type DenoRefusal, formatDenoCommand, readDenoCommand } from "../child/mod.ts";
import type { ReplayOutcome } from "../engine/mod.ts";
import { formatPreloadOrder, parsePreloadOutcome, preloadModule, preloadVariable } from "../inprocess/mod.ts";
import { credentialNames } from "../redact/mod.ts";
import type { KeyRules } from "../step/mod.ts";
import { readConfig, type TraceFile } from "../store/mod.ts";
import { withConfig } from "./_config_rules.ts";
import type { CliContext } from "./_context.ts";
import { type ReplayOptions, withKeyOptions } from "./_options.ts";

/** What a preload is to do. */
export interface PreloadSettings {
  readonly trace: TraceFile;
  readonly command: readonly string[];
  /** The folder that the child starts in. */
  readonly cwd: string;
  readonly options: ReplayOptions;
  /** The child's own, stand-ins for credentials included. */
  readonly env: Readonly<Record<string, string>>;
}

/** A Deno child that may not use the network, and answers itself from the trace by a preload. */
export class PreloadLayer implements Disposable {
  /** What to start in the place of the user's command. */
  readonly command: readonly string[];
  /** What the child needs beside its other variables. */
  readonly env: Readonly<Record<string, string>>;
  readonly #folder: string;

  private constructor(folder: string, command: readonly string[], order: string) {
    this.#folder = folder;
    this.command = command;
    this.env = { [preloadVariable]: order };
  }

  /** Makes ready what the child needs, or says why Deno cannot hold it. */
  static begin(context: CliContext, settings: PreloadSettings): PreloadLayer | DenoRefusal {
    const { trace, options, env, cwd } = settings;
    const command = denoCommandOf(settings.command, cwd, env);
    if (command.kind === "refusal") return command;
    const rules = withKeyOptions(withConfig(trace.header.key, readConfig(context.store.layout)), options);
    const unable = unableReason(context, settings) ?? unreadReason(rules, command);
    if (unable !== null) return { kind: "refusal", reason: unable };
    const folder = Deno.makeTempDirSync({ prefix: "agrepl-preload-" });
    const path = resolve(context.cwd, trace.path);
    const store = trace.store === null ? undefined : resolve(context.cwd, trace.store);
    const report = reportIn(folder);
    const read = [path, ...(store === undefined ? [] : [store])];
    const preload = { module: preloadModule, env: [preloadVariable], read, write: [report] };
    const order = formatPreloadOrder({
      trace: path,
      report,
      ...(store === undefined ? {} : { store }),
      ...preloadOptions(rules, options),
      variables: variablesOf(env),
      offline: true,
    });
    return new PreloadLayer(folder, formatDenoCommand(command, preload), order);
  }

  /** How the replay went inside the child; `null` when its preload never began. */
  outcome(): ReplayOutcome | null {
    try {
      return parsePreloadOutcome(Deno.readTextFileSync(reportIn(this.#folder)));
    } catch (error) {
      if (error instanceof Deno.errors.NotFound || error instanceof TypeError) return null;
      throw error;
    }
  }

  [Symbol.dispose](): void {
    try {
      Deno.removeSync(this.#folder, { recursive: true });
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error; // somebody tidied up
    }
  }
}

/** Takes a command apart that this machine's Deno can hold, or says why it cannot. */
export function denoCommandOf(
  words: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): DenoCommand | DenoRefusal {
  const command = readDenoCommand(words, { env, isThisDeno, isFile: (path) => isFile(resolve(cwd, path)) });
  const reason = command.kind === "deno" ? tooOld(command.program, cwd, env) : null;
  return reason === null ? command : { kind: "refusal", reason };
}

function reportIn(folder: string): string {
  return join(folder, "outcome.json");
}

/** What a proxy can do for a child and a preload cannot. */
function unableReason(context: CliContext, { trace, options }: PreloadSettings): string | null {
  const { bypass: [host], allowLocal: [port], drop: [dropped], redact, keep = false } = options;
  if (keep) return "--keep has the proxy write down what it answers";
  if (host !== undefined) return `--bypass lets the child reach "${host}" by itself`;
  if (port !== undefined) return `--allow-local lets the child reach port ${port} by itself`;
  if (dropped !== undefined) return `--drop "${dropped}" is answered by the proxy only`;
  const { patterns = [], enabled = true } = trace.header.redaction;
  const wanted = redact === false ? [] : redact;
  const own = [...patterns, ...readConfig(context.store.layout).redact ?? [], ...wanted];
  return own.length > 0 || !enabled ? "patterns of --redact, and --no-redact, are the proxy's only" : null;
}

/** Deno gives a program the name of its own folder only where it may read. */
function unreadReason({ ignoreText }: KeyRules, { grantsAll }: DenoCommand): string | null {
  if (grantsAll.has("read") || !ignoreText.some(({ pattern }) => pattern === "cwd")) return null;
  return 'the rule "cwd" wants the name of the folder, which the command may not read';
}

/** A preload is known to Deno from here on. */
const [leastMajor, leastMinor] = [2, 4];

function tooOld(program: string, cwd: string, env: Readonly<Record<string, string>>): string | null {
  if (isThisDeno(program)) return null;
  const [, version = "", major, minor] = /^deno ((\d+)\.(\d+)\S*)/.exec(versionOf(program, cwd, env)) ?? [];
  if (version === "") return `"${program}" does not tell its version`;
  const young = Number(major) > leastMajor || (Number(major) === leastMajor && Number(minor) >= leastMinor);
  return young ? null : `Deno ${version} knows no preload; ${leastMajor}.${leastMinor} does`;
}

function versionOf(program: string, cwd: string, env: Readonly<Record<string, string>>): string {
  try {
    const { stdout } = new Deno.Command(program, { args: ["--version"], cwd, env: { ...env }, stderr: "null" })
      .outputSync();
    return new TextDecoder().decode(stdout);
  } catch {
    return ""; // the start of the command will tell
  }
}

/**
 * Says what may be the matter with a program that did otherwise than it did when it was recorded.
 *
 * @param layer `null` where it was not Deno's permissions that held it.
 * @param suspicious True when it ended otherwise, or left steps unused.
 */
export function preloadAdvice(layer: PreloadLayer | null, suspicious: boolean): string[] {
  if (layer === null || !suspicious) return [];
  return [
    "Under Deno's permissions a program has no server and no worker's network, and node:http2, gRPC and npm's undici " +
    "reach nobody; --isolation proxy serves them, and holds less",
  ];
}

function preloadOptions({ ignoreQuery, ignoreJson, ignoreText }: KeyRules, { onExhausted, timing }: ReplayOptions) {
  return { ignoreQuery, ignoreJson, ignoreText, onExhausted, timing };
}

/** What keys and redaction depend on: the child may have no right to read it. */
function variablesOf(env: Readonly<Record<string, string>>): Record<string, string> {
  const names = ["HOME", "USERPROFILE", ...credentialNames(env)];
  return Object.fromEntries(names.flatMap((name) => env[name] === undefined ? [] : [[name, env[name]]]));
}

function isThisDeno(word: string): boolean {
  if (!word.includes("/") && !word.includes("\\")) return false;
  try {
    return Deno.realPathSync(word) === Deno.realPathSync(Deno.execPath());
  } catch {
    return false; // the start of the command will tell
  }
}

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}
