import { startChild, unreachedAdvice } from "../child/mod.ts";
import { Recorder } from "../engine/mod.ts";
import { type CompiledRules, compileRules } from "../key/mod.ts";
import { createAuthority, Proxy } from "../proxy/mod.ts";
import { redactCommand, type Redactor } from "../redact/mod.ts";
import { formatRecordReport, type RecordReport, toRecordReportJson } from "../report/mod.ts";
import { readConfig, type TraceWriter } from "../store/mod.ts";
import { NetworkUpstream, proxiesOf } from "../upstream/mod.ts";
import { withConfig } from "./_config_rules.ts";
import type { CliContext } from "./_context.ts";
import { exitCode } from "./_exit.ts";
import { beginRecordIsolation, openRecordIsolation } from "./_record_isolation.ts";
import { readTrust, type RecordOptions, refuseReportFile, toKeyRules, writeReportFile } from "./_options.ts";
import { keyContext, NoticeLog, orUsageError, prepareChild } from "./_run_parts.ts";
import { refusalsOf, unreachedInSandbox } from "./_sandbox_warnings.ts";
import { LossLog } from "./_loss_log.ts";
import { endTrace, openWriter, statusOf } from "./_trace_of_run.ts";
import { recordRedaction } from "./_redaction.ts";

/** What was under way when the child ended may take this long to end by itself: a child of the child may read it. */
const settleMs = 10_000;

/** And this long when its client is gone: a stream that ends by itself is then whole, one without an end is cut. */
const settleGoneMs = 2000;

/** And this long when a signal ended the run: somebody waits for it. */
const settleInterruptedMs = 1000;

/**
 * Runs a command under record.
 *
 * @returns The child's exit code, or that of a bad trace when the child succeeded and something could not be written.
 */
export async function recordRun(
  context: CliContext,
  command: readonly string[],
  options: RecordOptions,
): Promise<number> {
  refuseReportFile(options.report, context.cwd);
  const trust = readTrust(options.upstreamCa, context.env);
  const proxies = orUsageError(() => proxiesOf(context.env));
  const notices = new NoticeLog(command);
  const lost = new LossLog(context.store.layout.root);
  const begun = beginTrace(context, command, options);
  using upstream = new NetworkUpstream({ trust, proxies });
  const recorder = new Recorder({
    upstream,
    sink: begun.writer,
    redactor: begun.redactor,
    rules: begun.rules,
    onLost: lost.takeExchange,
    onFailed: notices.takeFailure,
    onUnrecorded: notices.takeUnrecorded,
  });
  const { refused, ...child } = await recordChild(context, { command, options, trust }, {
    recorder,
    notices,
    writer: begun.writer,
    lost,
  });
  const advice = options.sandbox === true ? unreachedInSandbox : unreachedAdvice(command, notices.distrust);
  const empty = child.steps === 0 && !lost.any ? [advice] : [];
  const report = { ...child, warnings: [...lost.warnings(), ...notices.warnings(), ...refused, ...empty] };
  context.tell(formatRecordReport(report, context.paint));
  writeReportFile(options.report, toRecordReportJson(report), context.cwd);
  if (notices.failure !== undefined) throw notices.failure;
  return report.exitCode === 0 && lost.any ? exitCode.badTrace : report.exitCode;
}

interface BegunTrace {
  readonly writer: TraceWriter;
  readonly redactor: Redactor;
  readonly rules: CompiledRules;
}

/** Writes the header; from here on the redactor knows every credential of this environment. */
function beginTrace(context: CliContext, command: readonly string[], options: RecordOptions): BegunTrace {
  const keyRules = withConfig(toKeyRules(options), readConfig(context.store.layout));
  const rules = orUsageError(() => compileRules(keyRules, keyContext(context)));
  const { redactor, rules: redaction, credentials } = recordRedaction(context, options);
  const writer = openWriter(context, {
    name: options.name ?? null,
    command: redactCommand(redactor, command),
    cwd: context.cwd,
    env: credentials,
    key: rules.rules,
    redaction,
  });
  return { writer, redactor, rules };
}

/** Runs the child behind the proxy, and ends its trace while its signals are still ours to hold back. */
async function recordChild(
  context: CliContext,
  { command, options, trust }: {
    readonly command: readonly string[];
    readonly options: RecordOptions;
    readonly trust: readonly string[];
  },
  { recorder, notices, writer, lost }: {
    readonly recorder: Recorder;
    readonly notices: NoticeLog;
    readonly writer: TraceWriter;
    readonly lost: LossLog;
  },
): Promise<Omit<RecordReport, "warnings"> & { readonly refused: readonly string[] }> {
  using unstarted = new DisposableStack();
  unstarted.defer(() => writer.discard()); // a command that never ran leaves no run
  const startMs = performance.now();
  const authority = createAuthority();
  const { drop, bypass } = options;
  await using isolation = beginRecordIsolation(context, options);
  await using proxy = await Proxy.listen({ engine: recorder, authority, drop, onNotice: notices.take });
  await openRecordIsolation(isolation, options, proxy.port);
  const sandboxed = isolation !== null;
  const { env, files } = prepareChild(context, { command, authority, proxyPort: proxy.port, trust, bypass, sandboxed });
  using _files = files;
  const { sandbox } = isolation ?? {};
  using child = startChild({ command, env, ...(sandbox === undefined ? {} : { sandbox }) });
  if (sandbox !== undefined) await proxy.openDoor(sandbox.door);
  sandbox?.release();
  unstarted.move();
  const { code, interrupted } = await child.exit;
  if (interrupted) await recorder.settle(settleInterruptedMs);
  else await recorder.settle(settleMs, settleGoneMs);
  const durationMs = Math.round(performance.now() - startMs);
  endTrace(writer, { status: statusOf({ code, interrupted }), exitCode: code, durationMs }, lost);
  const refused = refusalsOf(await isolation?.close() ?? null);
  const { runId, name } = writer.header;
  return { runId, name, steps: writer.steps, durationMs, exitCode: code, refused };
}
