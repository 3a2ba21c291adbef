import { formatCollection, toCollectionJson } from "../report/mod.ts";
import { collect, planCollection, unreadableRefs } from "../store/mod.ts";
import type { CliContext } from "./_context.ts";

/** What `gc` understands. */
export interface GcOptions {
  readonly keep?: number;
  /** Milliseconds. */
  readonly olderThan?: number;
  readonly yes?: boolean;
  readonly json?: boolean;
}

/** Shows what a store can do without, and removes it with `--yes`. */
export function gcRun(context: CliContext, options: GcOptions): void {
  const { layout } = context.store;
  const plan = planCollection(layout, {
    nowMs: Date.now(),
    ...(options.keep === undefined ? {} : { keep: options.keep }),
    ...(options.olderThan === undefined ? {} : { olderThanMs: options.olderThan }),
  });
  for (const path of unreadableRefs(layout)) {
    context.tell(`agrepl: "${path}" is no run that can be read; traces that no other run leads to stay`);
  }
  const report = { ...plan, removed: options.yes === true ? collect(plan) : null };
  if (options.json === true) context.print(JSON.stringify(toCollectionJson(report), null, 2));
  else context.print(formatCollection(report, context.outPaint));
}
