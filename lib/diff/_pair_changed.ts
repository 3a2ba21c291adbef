import type { Alignment } from "./align.ts";
import type { ComparedTrace } from "./compared.ts";
import { pairAlike, type Sketch, sketchOf } from "./_similarity.ts";

/** Steps of one place that have no partner of their key. */
interface Unmatched {
  readonly a: { readonly index: number; readonly sketch: Sketch }[];
  readonly b: { readonly index: number; readonly sketch: Sketch }[];
}

/** Finds steps whose keys differ, but which are plainly the same call: method, host and path, and a body much alike. */
export function pairChanged(a: ComparedTrace, b: ComparedTrace, alignment: Alignment): [a: number, b: number][] {
  const { onlyA, onlyB } = alignment;
  if (onlyA.length === 0 || onlyB.length === 0) return [];
  const groups = new Map<string, Unmatched>();
  for (const [side, trace, indices] of [["a", a, onlyA], ["b", b, onlyB]] as const) {
    for (const index of indices) {
      const { place, sketch } = sketchStep(trace, index);
      const group = groups.get(place) ?? { a: [], b: [] };
      group[side].push({ index, sketch });
      groups.set(place, group);
    }
  }
  return [...groups.values()].flatMap(pairGroup);
}

function pairGroup({ a, b }: Unmatched): [a: number, b: number][] {
  const pairs = pairAlike(a.map(({ sketch }) => sketch), b.map(({ sketch }) => sketch));
  return pairs.flatMap(([i, j]): [number, number][] => {
    const [first, second] = [a[i], b[j]];
    return first === undefined || second === undefined ? [] : [[first.index, second.index]];
  });
}

function sketchStep(trace: ComparedTrace, index: number): { readonly place: string; readonly sketch: Sketch } {
  const { method, url, request } = trace.step(index);
  const parsed = URL.parse(url);
  const place = `${method} ${parsed === null ? url : `${parsed.protocol}//${parsed.host}${parsed.pathname}`}`;
  const query = JSON.stringify(Object.fromEntries(parsed?.searchParams ?? []));
  const body = request.body.text ?? `bytes ${request.body.bytes}`;
  return { place, sketch: sketchOf(query === "{}" ? [body] : [body, query]) };
}
