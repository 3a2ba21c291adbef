import { counted, formatBytes, formatCommand, printableLine, UsageError } from "../report/mod.ts";
import { type Pulled, pullLink, pullRun, RemoteBucket, remoteSettings } from "../store/mod.ts";
import type { CliContext } from "./_context.ts";
import { isLoopback } from "./_options.ts";
import { Progress } from "./_progress.ts";
import { orUsageError } from "./_run_parts.ts";

/** What `pull` understands. */
export interface PullOptions {
  readonly json?: boolean;
}

/** Gets a run from the remote store, or by a link. */
export async function pullRunOf(context: CliContext, id: string, options: PullOptions): Promise<void> {
  using progress = new Progress("fetching files", { write: context.progress, elapsedMs: () => performance.now() });
  const onProgress = (done: number, all: number) => progress.update(done, all);
  const pulled = /^[a-z]+:\/\//i.test(id)
    ? await pullLink(context.store.layout, checkedLink(id), { onProgress })
    : await pullById(context, id, onProgress);
  tellPulled(context, pulled, options);
}

async function pullById(
  context: CliContext,
  id: string,
  onProgress: (done: number, all: number) => void,
): Promise<Pulled> {
  const settings = orUsageError(() => remoteSettings(context.env));
  using bucket = await RemoteBucket.open(settings);
  return await pullRun(context.store.layout, id, bucket, { onProgress });
}

/** What comes in the clear could be anybody's. */
function checkedLink(text: string): URL {
  const url = URL.parse(text);
  if (url === null) throw new UsageError("Cannot pull from this link: it is no URL");
  if (url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.host))) return url;
  throw new UsageError(`Cannot pull from "${url.origin}": expected an https: link`);
}

function tellPulled(context: CliContext, { ref, fetchedFiles, fetchedBytes }: Pulled, { json }: PullOptions): void {
  const { runId, digest, origin = null, steps } = ref;
  if (json === true) {
    const fetched = { fetched_files: fetchedFiles, fetched_bytes: fetchedBytes };
    return context.print(JSON.stringify({ run_id: runId, digest, origin, steps, ...fetched }, null, 2));
  }
  const from = origin === null ? "it was recorded here" : `from ${origin}`;
  const command = printableLine(formatCommand(ref.command));
  context.tell(
    `agrepl: pulled ${runId} ${from}, ${counted(steps ?? 0, "step")}, ${
      formatBytes(fetchedBytes)
    }. Its command: ${command}`,
  );
  context.print(runId);
}
