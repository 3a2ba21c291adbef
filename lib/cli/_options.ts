import { type Command, InvalidArgumentError, Option } from "commander";
import { dirname, resolve } from "node:path";
import { UsageError } from "../report/mod.ts";
import type { KeyRules, TextRule } from "../step/mod.ts";
import { reasonOf } from "./_system_error.ts";

/** Options that say what K(s) looks past. */
export interface KeyOptions {
  readonly ignoreQuery: readonly string[];
  readonly ignoreJson: readonly string[];
  readonly ignoreText: readonly string[];
}

/** Options that say what is replaced before anything is written. */
export interface RedactOptions {
  /** Patterns of the user's; false for no redaction at all. */
  readonly redact: readonly string[] | false;
}

/** Options about certificates and hosts, common to what runs a child. */
export interface ChildOptions {
  readonly upstreamCa: readonly string[];
  readonly bypass: readonly string[];
  readonly drop: readonly string[];
}

/** Options of a sandbox. */
export interface SandboxOptions {
  /** Ports that lead to agrepl beside the usual ones and the trace's. */
  readonly port: readonly number[];
  /** Unix sockets below `/run` that the child may use. */
  readonly allowSocket: readonly string[];
  /** Ports of this machine's loopback that the child may reach. */
  readonly allowLocal: readonly number[];
}

/** What `record` understands. */
export interface RecordOptions extends KeyOptions, RedactOptions, ChildOptions, SandboxOptions {
  readonly name?: string;
  readonly sandbox?: boolean;
  readonly report?: string;
}

/** What `replay` and `run` understand. */
export interface ReplayOptions extends KeyOptions, RedactOptions, ChildOptions, SandboxOptions {
  readonly fallback?: boolean;
  readonly timing: "none" | number;
  readonly onExhausted: "fail" | "last" | "cycle";
  readonly allowUnused?: boolean;
  readonly keep?: boolean;
  readonly isolation: "auto" | "sandbox" | "deno" | "proxy";
  readonly report?: string;
}

/** What `run` understands beyond `replay`. */
export interface RunOptions extends ReplayOptions {
  readonly yes?: boolean;
}

/** An option that may stand several times. */
function repeatable(flags: string, description: string): Option {
  return new Option(flags, `${description} (repeatable)`).default([], "none")
    .argParser((value: string, before: readonly string[]) => [...before, value]);
}

/** Adds the options of {@link KeyOptions}. */
export function addKeyOptions(command: Command): Command {
  return command
    .addOption(repeatable("--ignore-query <name>", "leave a query parameter out of the key"))
    .addOption(repeatable("--ignore-json <rule>", "leave a JSON member out of the key: '[METHOD ][URL ]#/pointer'"))
    .addOption(
      repeatable("--ignore-text <pattern>", "replace text first: a regular expression, date, cwd, home, uuid"),
    );
}

/** Adds `--redact`. */
export function addRedactOption(command: Command): Command {
  const redact = new Option("--redact <pattern>", "replace what this regular expression finds too (repeatable)");
  return command.addOption(
    redact.default([], "none").argParser((value: string, before: readonly string[] | false) => [
      ...(before === false ? [] : before),
      value,
    ]),
  );
}

/** Adds the options of {@link ChildOptions}. */
export function addChildOptions(command: Command): Command {
  return command
    .addOption(repeatable("--upstream-ca <file>", "trust these certificates (PEM) too when connecting out"))
    .addOption(repeatable("--bypass <host>", "let the child reach a host by itself, unrecorded"))
    .addOption(repeatable("--drop <host>", "answer 503 for a host and record nothing: telemetry"));
}

/** Adds the options of {@link SandboxOptions}. */
export function addSandboxOptions(command: Command): Command {
  return command
    .addOption(repeatablePort("--port <port>", "lead this port of every address to agrepl, in a sandbox"))
    .addOption(repeatablePort("--allow-local <port>", "let the child reach this port of your loopback, in a sandbox"))
    .addOption(repeatable("--allow-socket <path>", "let the child use this unix socket below /run, in a sandbox"));
}

function repeatablePort(flags: string, description: string): Option {
  return repeatable(flags, description)
    .argParser((text: string, before: readonly number[]) => [...before, parsePort(text)]);
}

function parsePort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port >= 1 && port <= 65535) return port;
  throw new InvalidArgumentError("Expected a port, from 1 to 65535.");
}

/** The key rules of a recording. */
export function toKeyRules(options: KeyOptions): KeyRules {
  return {
    version: 1,
    ignoreQuery: options.ignoreQuery,
    ignoreJson: options.ignoreJson,
    ignoreText: options.ignoreText.map((pattern): TextRule => ({ pattern })),
  };
}

/** A trace's rules with those of the command line added; the same object when nothing was added. */
export function withKeyOptions(rules: KeyRules, options: KeyOptions): KeyRules {
  const added = toKeyRules(options);
  if (added.ignoreQuery.length + added.ignoreJson.length + added.ignoreText.length === 0) return rules;
  return {
    version: 1,
    ignoreQuery: [...rules.ignoreQuery, ...added.ignoreQuery],
    ignoreJson: [...rules.ignoreJson, ...added.ignoreJson],
    ignoreText: [...rules.ignoreText, ...added.ignoreText],
  };
}

/** Reads the certificates that the upstream is to trust: those named, and those of agrepl's own environment. */
export function readTrust(named: readonly string[], env: Readonly<Record<string, string>>): string[] {
  const own = ["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE"].filter((name) => (env[name] ?? "") !== "")
    .map((name) => readCertificates(env[name] ?? "", ` (from ${name})`));
  return [...own, ...named.map((path) => readCertificates(path, ""))];
}

function readCertificates(path: string, origin: string): string {
  let pem: string;
  try {
    pem = Deno.readTextFileSync(path);
  } catch (error) {
    throw new UsageError(`Cannot read certificates from "${path}"${origin}: ${reasonOf(error)}`);
  }
  if (pem.includes("-----BEGIN CERTIFICATE-----")) return pem;
  throw new UsageError(`Cannot read certificates from "${path}"${origin}: it holds none, expected PEM`);
}

/** `--report FILE`: where the JSON of a run's end goes. */
export function reportOption(): Option {
  return new Option("--report <file>", "write the report as JSON to a file (stdout is the child's)");
}

/** Refuses a `--report` that could not be written, before the child runs and not after. */
export function refuseReportFile(path: string | undefined, cwd: string): void {
  if (path === undefined) return;
  const place = resolve(cwd, path);
  if (kindOf(place) === "folder") throw new UsageError(`Cannot write the report to "${path}": it is a folder`);
  if (kindOf(dirname(place)) === "folder") return;
  throw new UsageError(`Cannot write the report to "${path}": there is no folder "${dirname(path)}"`);
}

function kindOf(path: string): "folder" | "other" | "none" {
  try {
    return Deno.statSync(path).isDirectory ? "folder" : "other";
  } catch {
    return "none";
  }
}

/** Writes a `--report`. */
export function writeReportFile(path: string | undefined, json: Record<string, unknown>, cwd: string): void {
  if (path === undefined) return;
  try {
    Deno.writeTextFileSync(resolve(cwd, path), `${JSON.stringify(json, null, 2)}\n`, { mode: 0o600 });
  } catch (error) {
    throw new UsageError(`Cannot write the report to "${path}": ${reasonOf(error)}`);
  }
}

/** Reads `--timing`: `none`, `recorded`, or a factor above 0 (2 is twice as fast). */
export function parsePace(text: string): "none" | number {
  if (text === "none") return "none";
  if (text === "recorded") return 1;
  const factor = Number(text);
  if (Number.isFinite(factor) && factor > 0) return factor;
  throw new InvalidArgumentError("Expected none, recorded, or a factor such as 2 (twice as fast).");
}

/**
 * The child's command, or the usage error that says how to give one.
 *
 * @param usage A command line that is right.
 * @param stray Words before `--` that nothing reads: they would be lost without a word.
 */
export function requireChildCommand(
  childCommand: readonly string[] | null,
  usage: string,
  stray: readonly string[],
): readonly string[] {
  if (childCommand === null) throw new UsageError(`No command given: put it behind "--", as in: ${usage}`);
  if (childCommand.length === 0) {
    throw new UsageError(`No command given: nothing stands behind "--", expected as in: ${usage}`);
  }
  if (stray.length === 0) return childCommand;
  throw new UsageError(`Cannot tell what "${stray[0]}" before "--" is for, expected as in: ${usage}`);
}

/** Tells loopback by the whole of a name: `localhost.example.com` and a list of hosts only begin like it. */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\]|::1)$/i.test(host.replace(/(?<=[^:]):\d+$/, ""));
}
