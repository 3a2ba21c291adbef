import { credentialNames, dummyCredential, startChild, UsageError } from "../child/mod.ts";
import { PassThrough, rekey, Replayer, type ReplayOutcome } from "../engine/mod.ts";
import { compileRules } from "../key/mod.ts";
import { createAuthority, Proxy } from "../proxy/mod.ts";
import { Redactor } from "../redact/mod.ts";
import {
  formatMiss,
  formatReplayReport,
  hasDiverged,
  type IsolationLine,
  type ReplayReport,
  toReplayReportJson,
} from "../report/mod.ts";
import type { TraceFile } from "../store/mod.ts";
import { Http1Upstream } from "../upstream/mod.ts";
import type { CliContext } from "./_context.ts";
import { exitCode } from "./_exit.ts";
import { readTrust, type ReplayOptions, withKeyOptions, writeReportFile } from "./_options.ts";
import { keyContext, NoticeLog, orUsageError, prepareChild } from "./_run_parts.ts";

/** A replay as the command line asked for it. */
export interface ReplayRequest {
  readonly run: string;
  readonly command: readonly string[];
  readonly cwd: string;
  readonly options: ReplayOptions;
}

/**
 * Runs a command on a trace.
 *
 * @returns The child's exit code, or what agrepl has to add to a 0.
 */
export async function replayRun(context: CliContext, request: ReplayRequest): Promise<number> {
  const { options, command } = request;
  refuseBypass(options);
  using trace = context.store.open(context.store.find(request.run));
  const credentials = standIns(trace, context.env);
  const redactor = new Redactor();
  for (const value of credentials.values) redactor.learn(value);
  const keyRules = withKeyOptions(trace.header.key, options);
  const rules = orUsageError(() => compileRules(keyRules, keyContext(context)));
  const entries = keyRules === trace.header.key ? trace.entries : await rekey(trace, { rules, redactor });
  const trust = readTrust(options.upstreamCa, context.env);
  using upstream = options.fallback === true ? new Http1Upstream({ trust }) : null;
  const replayer = new Replayer({
    trace,
    entries,
    redactor,
    rules,
    onExhausted: options.onExhausted,
    pace: options.timing,
    ...(upstream === null ? {} : { fallback: new PassThrough(upstream) }),
    onMiss: (miss) => context.tell(`agrepl: ${formatMiss(miss, context.paint)}`),
  });
  const authority = createAuthority();
  const notices = new NoticeLog(command);
  await using proxy = await Proxy.listen({ engine: replayer, authority, drop: options.drop, onNotice: notices.take });
  const { bypass } = options;
  const { env, files } = prepareChild(context, { command, authority, proxyPort: proxy.port, trust, bypass });
  using _files = files;
  // "import" is missing from the runtime's own types
  if (upstream === null) revoke(["net", "import" as Deno.PermissionName, "ffi"]);
  const startMs = performance.now();
  const child = startChild({ command, cwd: request.cwd, env: { ...env, ...credentials.dummies } });
  if (upstream === null) revoke(["run"]);
  const exit = await child.exit;
  const replayedMs = performance.now() - startMs;
  const report = toReport({ trace, outcome: replayer.outcome(), options }, {
    networkCalls: upstream?.calls ?? 0,
    replayedMs,
    exitCode: exit.code,
    warnings: [...trace.warnings, ...credentials.notes, ...notices.warnings()],
  });
  finish(context, report, options);
  if (notices.failure !== undefined) throw notices.failure;
  if (replayer.outcome().damaged.length > 0) return exitCode.badTrace;
  return exit.code === 0 && hasDiverged(report) ? exitCode.diverged : exit.code;
}

/** A host that the child reaches by itself is a way out, and a strict replay has none. */
function refuseBypass({ bypass, fallback }: ReplayOptions): void {
  const outside = bypass.find((host) => !/^(?:localhost|127\.|\[?::1\]?$)/.test(host));
  if (outside === undefined || fallback === true) return;
  throw new UsageError(
    `Cannot bypass "${outside}" in a strict replay: it would reach the network. --fallback allows it`,
  );
}

interface StandIns {
  /** Set for the child beside its own variables. */
  readonly dummies: Readonly<Record<string, string>>;
  /** Secrets that the redactor is to know, real or made up. */
  readonly values: readonly string[];
  readonly notes: readonly string[];
}

/** Credentials that the recording had and this environment lacks get a dummy, so that SDKs start. */
function standIns(trace: TraceFile, env: Readonly<Record<string, string>>): StandIns {
  const missing = trace.header.env.filter((name) => (env[name] ?? "") === "");
  const dummies = Object.fromEntries(missing.map((name) => [name, dummyCredential(name)]));
  const present = credentialNames(env).map((name) => env[name] ?? "");
  return {
    dummies,
    values: [...present, ...Object.values(dummies)],
    notes: missing.length === 0 ? [] : [`Not set here, so a dummy stood in: ${missing.join(", ")}`],
  };
}

/** Gives up a permission for good: from then on the runtime refuses, whatever this program does. */
function revoke(names: readonly Deno.PermissionName[]): void {
  for (const name of names) Deno.permissions.revokeSync({ name });
}

function isolationOf(strict: boolean): IsolationLine {
  return strict
    ? { held: "proxy", why: "proxy variables hold the child; agrepl itself has given up its network permission" }
    : { held: "none", why: "--fallback keeps the network open" };
}

interface RunFacts {
  readonly networkCalls: number;
  readonly replayedMs: number;
  readonly exitCode: number;
  readonly warnings: readonly string[];
}

function toReport(
  { trace, outcome, options }: {
    readonly trace: TraceFile;
    readonly outcome: ReplayOutcome;
    readonly options: ReplayOptions;
  },
  facts: RunFacts,
): ReplayReport {
  const { steps, hits, misses, unused, differences, fidelity, damaged } = outcome;
  const strict = options.fallback !== true;
  const empty = steps === 0 ? ["The trace holds no step, so F says nothing"] : [];
  return {
    runId: trace.header.runId,
    mode: strict ? "strict" : "fallback",
    steps,
    hits,
    misses,
    unused,
    differences,
    fidelity,
    isolation: isolationOf(strict),
    recordedMs: trace.end?.durationMs ?? null,
    recordedExitCode: trace.end?.exitCode ?? null,
    allowUnused: options.allowUnused === true,
    ...facts,
    warnings: [...facts.warnings, ...empty, ...damaged],
  };
}

function finish(context: CliContext, report: ReplayReport, options: ReplayOptions): void {
  context.tell(formatReplayReport(report, context.paint));
  const json = toReplayReportJson(report);
  try {
    context.store.writeReport(report.runId, `${JSON.stringify(json, null, 2)}\n`);
  } catch (error) {
    context.tell(`agrepl: The report could not be kept: ${error instanceof Error ? error.message : error}`);
  }
  writeReportFile(options.report, json, context.cwd);
}
