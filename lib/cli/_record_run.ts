import { relative } from "node:path";
import { credentialNames, startChild, unreachedAdvice, UsageError } from "../child/mod.ts";
import { Recorder } from "../engine/mod.ts";
import { compileRules } from "../key/mod.ts";
import { createAuthority, Proxy } from "../proxy/mod.ts";
import { Redactor } from "../redact/mod.ts";
import { formatRecordReport, type RecordReport, toRecordReportJson } from "../report/mod.ts";
import type { TraceHeader } from "../step/mod.ts";
import { TraceWriter } from "../store/mod.ts";
import { Http1Upstream } from "../upstream/mod.ts";
import type { CliContext } from "./_context.ts";
import { readTrust, type RecordOptions, toKeyRules, writeReportFile } from "./_options.ts";
import { keyContext, NoticeLog, orUsageError, prepareChild } from "./_run_parts.ts";
import { version } from "./version.ts";

/** What was under way when the child ended may take this long to end by itself. */
const settleMs = 10_000;

/**
 * Runs a command under record.
 *
 * @returns The child's exit code.
 */
export async function recordRun(
  context: CliContext,
  command: readonly string[],
  options: RecordOptions,
): Promise<number> {
  const trust = readTrust(options.upstreamCa, context.env);
  const rules = orUsageError(() => compileRules(toKeyRules(options), keyContext(context)));
  const redactor = new Redactor();
  const credentials = credentialNames(context.env);
  for (const name of credentials) redactor.learn(context.env[name] ?? "");
  const startMs = performance.now();
  const writer = openWriter(context, {
    name: options.name ?? null,
    command: command.map((word) => redactor.text(word).stored),
    env: credentials,
    key: rules.rules,
  });
  const notices = new NoticeLog(command);
  const lost: string[] = [];
  using upstream = new Http1Upstream({ trust });
  const recorder = new Recorder({
    upstream,
    sink: writer,
    redactor,
    rules,
    onLost: (request, error) =>
      lost.push(`Not recorded: ${request}: ${error instanceof Error ? error.message : error}`),
  });
  const authority = createAuthority();
  await using proxy = await Proxy.listen({ engine: recorder, authority, drop: options.drop, onNotice: notices.take });
  const { env, files } = prepareChild(context, {
    command,
    authority,
    proxyPort: proxy.port,
    trust,
    bypass: options.bypass,
  });
  using _files = files;
  const exit = await startRecorded(writer, command, env);
  await recorder.settle(settleMs);
  const durationMs = Math.round(performance.now() - startMs);
  const status = exit.interrupted ? "interrupted" : exit.code === 0 ? "completed" : "failed";
  const ref = writer.finish({ status, exitCode: exit.code, durationMs });
  const empty = writer.steps === 0 ? [unreachedAdvice(command, notices.distrust)] : [];
  const { runId, name } = ref;
  const warnings = [...lost, ...notices.warnings(), ...empty];
  finish(context, { runId, name, steps: writer.steps, durationMs, exitCode: exit.code, warnings }, options);
  if (notices.failure !== undefined) throw notices.failure;
  return exit.code;
}

async function startRecorded(writer: TraceWriter, command: readonly string[], env: Record<string, string>) {
  try {
    return await startChild({ command, env }).exit;
  } catch (error) {
    writer.discard(); // the command never ran: there is no run to keep
    throw error;
  }
}

function finish(context: CliContext, report: RecordReport, options: RecordOptions): void {
  context.tell(formatRecordReport(report, context.paint));
  writeReportFile(options.report, toRecordReportJson(report), context.cwd);
}

function openWriter(
  context: CliContext,
  header: Pick<TraceHeader, "name" | "command" | "env" | "key">,
): TraceWriter {
  const { layout } = context.store;
  const now = new Date();
  try {
    return new TraceWriter(layout, {
      kind: "trace",
      version: 1,
      runId: newRunId(now),
      cwd: relative(`${layout.root}/..`, context.cwd) || ".",
      timestamp: now.toISOString(),
      agrepl: version,
      redaction: { version: 1 },
      ...header,
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`Cannot record into "${layout.root}": ${reason}. Name another folder with AGREPL_DIR`);
  }
}

/** `20261120-091233-k3f9`: sorts by time, and the end keeps two recorders of one second apart. */
function newRunId(now: Date): string {
  const digits = now.toISOString().replace(/\D/g, "");
  const random = [...crypto.getRandomValues(new Uint8Array(4))].map((byte) => (byte % 36).toString(36)).join("");
  return `${digits.slice(0, 8)}-${digits.slice(8, 14)}-${random}`;
}
