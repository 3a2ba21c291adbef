import { type DenoRefusal, type SandboxSightings, startChild } from "../child/mod.ts";
import { formatMiss, UsageError } from "../report/mod.ts";
import { PassThrough, rekey, Replayer, type ReplayOutcome } from "../engine/mod.ts";
import { compileRules } from "../key/mod.ts";
import { createAuthority, Proxy } from "../proxy/mod.ts";
import { readConfig, type TraceFile } from "../store/mod.ts";
import { NetworkUpstream, proxiesOf } from "../upstream/mod.ts";
import { withConfig } from "./_config_rules.ts";
import type { CliContext } from "./_context.ts";
import { exitCode } from "./_exit.ts";
import { Isolation } from "./_isolation.ts";
import { joinOutcomes } from "./_joined_outcome.ts";
import { compileTraceRules, openTrace } from "./_open_trace.ts";
import { type KeptReplay, KeptRun } from "./_kept_run.ts";
import { isLoopback, readTrust, refuseReportFile, type ReplayOptions, withKeyOptions } from "./_options.ts";
import { endReplay } from "./_replay_end.ts";
import { preloadAdvice, PreloadLayer } from "./_preload_layer.ts";
import { replayRedaction } from "./_redaction.ts";
import { keyContext, NoticeLog, orUsageError, prepareChild } from "./_run_parts.ts";
import { type HostAndPort, isLetIn, placesOf, recordedOrigins, usualPorts } from "./_sandbox_places.ts";
import { sandboxWarnings } from "./_sandbox_warnings.ts";
import { type StandIns, standIns } from "./_stand_ins.ts";
import { statusOf } from "./_trace_of_run.ts";

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
  refuseReportFile(options.report, context.cwd);
  const { isolation: layer, fallback = false } = options;
  await using isolation = Isolation.begin(context, { ...options, layer, fallback, cwd: request.cwd });
  using trace = openTrace(context, request.run);
  const credentials = standIns(trace.header.env, context.env);
  const trust = readTrust(options.upstreamCa, context.env);
  using upstream = options.fallback === true
    ? new NetworkUpstream({ trust, proxies: orUsageError(() => proxiesOf(context.env)) })
    : null;
  const notices = new NoticeLog(command);
  const { replayer, ...copying } = await makeReplayer(context, trace, { options, credentials, upstream });
  using kept = options.keep === true
    ? new KeptRun(context, { ...request, trace, ...copying, engine: replayer, notices })
    : null;
  const origins = recordedOrigins(trace);
  const { inside, ...child } = await replayChild(context, request, {
    trace,
    replayer,
    kept,
    notices,
    trust,
    isolation,
    origins,
    dummies: credentials.dummies,
  });
  const outcome = joinOutcomes(replayer.outcome(), inside);
  const suspicious = child.exitCode !== (trace.end?.exitCode ?? 0) || outcome.unused.length > 0;
  const code = endReplay(context, {
    trace,
    options,
    ...child,
    isolation: isolation.line,
    outcome,
    networkCalls: upstream?.calls ?? 0,
    kept: kept?.told ?? null,
    warnings: [
      ...kept?.warnings() ?? [],
      ...trace.warnings,
      ...credentials.notes,
      ...notices.warnings(),
      ...sandboxWarnings(child.sightings, origins),
      ...preloadAdvice(isolation.preload, suspicious),
    ],
  });
  if (notices.failure !== undefined) throw notices.failure;
  return code === 0 && kept?.lossy === true ? exitCode.badTrace : code;
}

interface PreparedReplay extends Pick<KeptReplay, "redactor" | "rules" | "redaction"> {
  readonly replayer: Replayer;
}

async function makeReplayer(
  context: CliContext,
  trace: TraceFile,
  { options, credentials, upstream }: {
    readonly options: ReplayOptions;
    readonly credentials: StandIns;
    readonly upstream: NetworkUpstream | null;
  },
): Promise<PreparedReplay> {
  const { redactor, added, rules: redaction } = replayRedaction(context, trace, options);
  for (const value of credentials.values) redactor.learn(value);
  const recorded = compileTraceRules(context, trace);
  const keyRules = withKeyOptions(withConfig(recorded.rules, readConfig(context.store.layout)), options);
  const same = keyRules === recorded.rules && !added;
  const rules = keyRules === recorded.rules
    ? recorded
    : orUsageError(() => compileRules(keyRules, keyContext(context)));
  const replayer = new Replayer({
    trace,
    entries: same ? trace.entries : await rekey(trace, { rules, redactor }),
    redactor,
    rules,
    onExhausted: options.onExhausted,
    pace: options.timing,
    ...(upstream === null ? {} : { fallback: new PassThrough(upstream) }),
    onMiss: (miss) => context.tell(`agrepl: ${formatMiss(miss, context.paint)}`),
  });
  return { replayer, redactor, rules, redaction };
}

interface ChildEnd {
  readonly exitCode: number;
  readonly replayedMs: number;
  /** What a sandbox saw; `null` without one. */
  readonly sightings: SandboxSightings | null;
  /** How the replay went inside the child; `null` where all of it was the proxy's. */
  readonly inside: ReplayOutcome | null;
}

/** Runs the child behind the proxy. In a strict replay this process has no way out from the child's start on. */
async function replayChild(
  context: CliContext,
  { command, cwd, options }: ReplayRequest,
  { trace, replayer, kept, notices, trust, isolation, origins, dummies }: {
    readonly trace: TraceFile;
    readonly replayer: Replayer;
    readonly kept: KeptRun | null;
    readonly notices: NoticeLog;
    readonly trust: readonly string[];
    readonly isolation: Isolation;
    readonly origins: readonly HostAndPort[];
    readonly dummies: Readonly<Record<string, string>>;
  },
): Promise<ChildEnd> {
  const authority = createAuthority();
  const { drop, bypass } = options;
  await using proxy = await Proxy.listen({ engine: kept?.engine ?? replayer, authority, drop, onNotice: notices.take });
  const ports = [...usualPorts, ...options.port];
  const places = placesOf(origins, ports).filter((place) => !isLetIn(place, options.allowLocal));
  const inherited = { ...context.env, ...dummies };
  await isolation.open(
    { proxyPort: proxy.port, ports, places },
    () =>
      kept !== null ? keepsAtTheProxy : PreloadLayer.begin(context, { trace, command, cwd, options, env: inherited }),
  );
  const { sandbox, preload } = isolation;
  const sandboxed = sandbox !== undefined;
  const { env, files } = prepareChild(context, { command, authority, proxyPort: proxy.port, trust, bypass, sandboxed });
  using _files = files;
  const strict = options.fallback !== true;
  const startMs = performance.now();
  if (strict && !sandboxed) revoke(network);
  using child = startChild({
    command: preload?.command ?? command,
    cwd,
    env: { ...env, ...dummies, ...preload?.env },
    ...(sandboxed ? { sandbox } : {}),
  });
  if (sandboxed) await proxy.openDoor(sandbox.door); // the child waits for its release, and does not inherit it
  if (strict) revoke([...network, "run"]);
  sandbox?.release();
  const exit = await child.exit;
  const replayedMs = performance.now() - startMs;
  await kept?.end({ status: statusOf(exit), exitCode: exit.code, durationMs: Math.round(replayedMs) });
  const inside = preload?.outcome() ?? null;
  if (preload !== null && inside === null) isolation.denyPreload();
  return { exitCode: exit.code, replayedMs, sightings: await isolation.close(), inside };
}

/** What a child answers itself is seen by nobody else. */
const keepsAtTheProxy: DenoRefusal = { kind: "refusal", reason: "--keep writes down what agrepl itself answers" };

/** A host that the child reaches by itself is a way out, and a strict replay has none. */
function refuseBypass({ bypass, fallback }: ReplayOptions): void {
  const outside = bypass.find((host) => !isLoopback(host));
  if (outside === undefined || fallback === true) return;
  throw new UsageError(
    `Cannot bypass "${outside}" in a strict replay: it would reach the network. --fallback allows it`,
  );
}

/** All that a way out could be made of; "import" is missing from the runtime's own types. */
const network: readonly Deno.PermissionName[] = ["net", "import" as Deno.PermissionName, "ffi"];

/** Gives up a permission for good: from then on the runtime refuses, whatever this program does. */
function revoke(names: readonly Deno.PermissionName[]): void {
  for (const name of names) Deno.permissions.revokeSync({ name });
}
