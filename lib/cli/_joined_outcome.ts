import type { ReplayOutcome } from "../engine/mod.ts";

/**
 * Joins how a replay went behind the proxy and inside of the child: both answered from one trace, each a part of it.
 *
 * @param outer Of the proxy.
 * @param inner Of a preload; `null` without one.
 */
export function joinOutcomes(outer: ReplayOutcome, inner: ReplayOutcome | null): ReplayOutcome {
  if (inner === null) return outer;
  const differences = new Map([...outer.differences, ...inner.differences].sort(([a], [b]) => a - b));
  const unserved = new Set(inner.diverged);
  // A step is replayed when either served it as recorded and neither otherwise.
  const diverged = [...new Set([...outer.diverged, ...inner.diverged])]
    .filter((seq) => differences.has(seq) || (outer.diverged.includes(seq) && unserved.has(seq)))
    .sort((a, b) => a - b);
  const { steps } = outer;
  return {
    steps,
    diverged,
    fidelity: steps === 0 ? 1 : 1 - diverged.length / steps,
    hits: outer.hits + inner.hits,
    misses: [...outer.misses, ...inner.misses],
    unused: outer.unused.filter((seq) => inner.unused.includes(seq)),
    differences,
    damaged: [...outer.damaged, ...inner.damaged],
  };
}
