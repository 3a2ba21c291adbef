/**
 * K(s) of a step as it lies in a trace: what a replay under other rules, and `verify`, compute anew.
 *
 * @module
 */
import type { TraceEntry, TraceFile } from "../store/mod.ts";
import { type CopyContext, RequestCopy } from "./_request_copy.ts";

/**
 * Computes the key of a stored request, which is redacted already: K never depends on what was there before.
 *
 * @param trace The trace that holds the step.
 * @param entry The step.
 * @param context The rules that are to hold.
 */
export async function storedKey(trace: TraceFile, entry: TraceEntry, context: CopyContext): Promise<string> {
  const { request } = trace.step(entry);
  const copy = new RequestCopy(request, context, null);
  using body = trace.openBody(request.body, entry);
  while (body.rest > 0) await copy.push(body.read(1024 * 1024));
  return (await copy.finish()).key;
}

/**
 * Gives every entry of a trace the key that it has under other rules.
 *
 * @param context The rules that are to hold instead of the trace's own.
 */
export async function rekey(trace: TraceFile, context: CopyContext): Promise<TraceEntry[]> {
  const entries: TraceEntry[] = [];
  for (const entry of trace.entries) entries.push({ ...entry, key: await storedKey(trace, entry, context) });
  return entries;
}
