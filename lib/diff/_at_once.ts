import { type AlignedPair, lowerBound } from "./align.ts";
import type { ComparedStep, ComparedTrace } from "./compared.ts";

interface MovedPair {
  readonly pair: AlignedPair;
  /** The pairs that kept their place, in the order of both traces. */
  readonly anchors: readonly AlignedPair[];
}

/** More steps than this are never under way at once by chance. */
const mostAtOnce = 256;

/** Tells whether a moved step overlapped in time, in both runs, with each one that it changed places with. */
export function wereAtOnce(a: ComparedTrace, b: ComparedTrace, { pair, anchors }: MovedPair): boolean {
  const inA = lowerBound(anchors, (each) => each.a < pair.a);
  const inB = lowerBound(anchors, (each) => each.b < pair.b);
  const passed = anchors.slice(Math.min(inA, inB), Math.max(inA, inB));
  if (passed.length > mostAtOnce) return false;
  const [first, second] = [a.step(pair.a), b.step(pair.b)];
  return passed.every((each) => overlap(first, a.step(each.a)) && overlap(second, b.step(each.b)));
}

function overlap(a: ComparedStep, b: ComparedStep): boolean {
  return a.beganMs < b.beganMs + b.latencyMs && b.beganMs < a.beganMs + a.latencyMs;
}
