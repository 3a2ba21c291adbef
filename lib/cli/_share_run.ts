import { counted, formatBytes, formatScan, UsageError } from "../report/mod.ts";
import {
  digestBeforeEnd,
  FileSource,
  RemoteBucket,
  remoteKeys,
  remoteSettings,
  type RunRef,
  type Shared,
  shareRun,
  TraceRewrite,
  writeSelfContained,
} from "../store/mod.ts";
import type { CliContext } from "./_context.ts";
import { CommandFailure } from "./_command_failure.ts";
import { exitCode } from "./_exit.ts";
import { findTrace, openTrace } from "./_open_trace.ts";
import type { RedactOptions } from "./_options.ts";
import { Progress } from "./_progress.ts";
import { orUsageError } from "./_run_parts.ts";
import { scanRedactor, scanTrace } from "./_scan_run.ts";

/** What `share` understands. */
export interface ShareOptions extends RedactOptions {
  readonly link?: boolean;
  /** Milliseconds. */
  readonly expires: number;
  readonly force?: boolean;
  readonly replace?: boolean;
  readonly json?: boolean;
}

type WholeRun = RunRef & { readonly digest: string };

const weekMs = 7 * 86_400_000;

/** Sends a run to the remote store, once it is clean and whole. */
export async function shareRunOf(context: CliContext, run: string, options: ShareOptions): Promise<void> {
  if (options.expires < 1000 || options.expires > weekMs) {
    throw new UsageError("Cannot make such a link: it holds for 7d at most, and 1m at least");
  }
  const settings = orUsageError(() => remoteSettings(context.env));
  const found = endedRun(context, run);
  refuseSecrets(context, found, options);
  const ref = wholeRun(context, found);
  using bucket = await RemoteBucket.open(settings);
  using progress = new Progress("sending files", { write: context.progress, elapsedMs: () => performance.now() });
  const shared = await shareRun(context.store.layout, ref, bucket, {
    replace: options.replace === true,
    onProgress: (done, all) => progress.update(done, all),
  });
  const link = options.link === true ? await shareLink(context, ref, { bucket, expiresMs: options.expires }) : null;
  tellShared(context, { ref, shared, bucket, link, json: options.json === true });
}

interface SharedRun {
  readonly ref: WholeRun;
  readonly shared: Shared;
  readonly bucket: RemoteBucket;
  readonly link: string | null;
  readonly json: boolean;
}

/** The id, or the link, is what stdout is for. */
function tellShared(context: CliContext, { ref, shared, bucket, link, json }: SharedRun): void {
  const { digest, blobs, sentFiles, sentBytes } = shared;
  if (json) {
    const sent = { blobs, sent_files: sentFiles, sent_bytes: sentBytes, requests: bucket.requests };
    context.print(JSON.stringify({ id: ref.runId, digest, remote: bucket.name, ...sent, link }, null, 2));
    return;
  }
  const what = sentFiles === 0
    ? "all of it was there"
    : `${counted(sentFiles, "file")} sent, ${formatBytes(sentBytes)}`;
  context.tell(
    `agrepl: shared ${ref.runId} in ${bucket.name}, ${what}. Others get it with: agrepl pull ${
      link === null ? ref.runId : "'URL'"
    }`,
  );
  context.print(link ?? ref.runId);
}

function endedRun(context: CliContext, run: string): RunRef {
  const { ref } = findTrace(context, run);
  if (ref === null) throw new UsageError(`Cannot share "${run}": expected a run of this store`);
  if (ref.status === "recording") throw new UsageError(`Cannot share "${run}": it is recording`);
  return ref;
}

/** By the same rules as `agrepl scan`. */
function refuseSecrets(context: CliContext, ref: RunRef, options: ShareOptions): void {
  using trace = openTrace(context, ref.runId);
  const findings = scanTrace(context, trace, scanRedactor(context, trace, options));
  if (findings.length === 0) return;
  const scanned = { path: trace.path, runId: ref.runId, steps: trace.entries.length, findings };
  context.tell(formatScan([scanned], context.paint));
  if (options.force === true) return context.tell("agrepl: shared all the same, since --force was given");
  throw new CommandFailure(
    `Cannot share ${ref.runId}: it holds what looks like a secret. agrepl scrub takes it out; --force shares it as it is`,
    exitCode.findings,
  );
}

/** A run that was cut off gets the end, and so the address, that it never had. */
function wholeRun(context: CliContext, ref: RunRef): WholeRun {
  if (ref.digest !== null) return { ...ref, digest: ref.digest };
  using trace = openTrace(context, ref.runId);
  using file = new TraceRewrite(context.store.layout, ref, trace.header);
  for (const entry of trace.entries) file.append(trace.step(entry));
  const { ref: whole } = file.finish({ status: "interrupted", exitCode: null, durationMs: 0 });
  if (whole.digest === null) throw new TypeError(`Cannot share ${ref.runId}: it has no digest yet`);
  return { ...whole, digest: whole.digest };
}

async function shareLink(
  context: CliContext,
  ref: WholeRun,
  { bucket, expiresMs }: { readonly bucket: RemoteBucket; readonly expiresMs: number },
): Promise<string> {
  const path = Deno.makeTempFileSync({ prefix: "agrepl-link-" });
  try {
    using trace = openTrace(context, ref.runId);
    writeSelfContained(trace, path);
    const key = remoteKeys.export(digestBeforeEnd(path));
    using source = new FileSource(path);
    await bucket.putOnce(key, source);
    return await bucket.link(key, Math.floor(expiresMs / 1000));
  } finally {
    Deno.removeSync(path);
  }
}
