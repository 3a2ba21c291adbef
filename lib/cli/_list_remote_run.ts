import { formatRunList, toRunListJson } from "../report/mod.ts";
import { listRemoteRuns, RemoteBucket, remoteSettings } from "../store/mod.ts";
import type { CliContext } from "./_context.ts";
import { orUsageError } from "./_run_parts.ts";

/** Lists the runs of the remote store. */
export async function listRemote(context: CliContext, json: boolean): Promise<void> {
  const settings = orUsageError(() => remoteSettings(context.env));
  using bucket = await RemoteBucket.open(settings);
  const { runs, whole } = await listRemoteRuns(bucket);
  if (!whole) context.tell("agrepl: the remote store holds more runs than are listed; AGREPL_S3_PREFIX divides it");
  if (json) context.print(JSON.stringify(toRunListJson(runs), null, 2));
  else if (runs.length === 0) context.tell(`No run is shared in ${bucket.name} yet. Begin with: agrepl share RUN`);
  else context.print(formatRunList(runs, context.outPaint));
}
