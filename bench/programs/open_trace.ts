/**
 * Opens a trace in a fresh process and looks steps up in it.
 *
 * Arguments: the trace's file, a seed. Prints one JSON line, an {@link OpenTraceResult}.
 *
 * @module
 */
import { Lookup } from "../../lib/lookup/mod.ts";
import { type TraceEntry, TraceFile } from "../../lib/store/mod.ts";
import type { OpenTraceResult } from "../support/open_trace.ts";
import { readProcessMemory } from "../support/process_memory.ts";
import { quantile } from "../support/statistics.ts";
import { WrongAnswerError } from "../support/wrong_answer_error.ts";

const [path = "", seed = "1"] = Deno.args;
const batches = 1000;
/** Lookups are shorter than the clock is fine, so several are timed at once. */
const batchSize = 10;

const { residentBytes } = readProcessMemory("self");
const startMs = performance.now();
const trace = new TraceFile(path, null);
let lookup = new Lookup(trace.entries);
const openMs = performance.now() - startMs;
const { peakBytes } = readProcessMemory("self");
const order = shuffled(trace.entries, Number(seed));
const result: OpenTraceResult = { openMs, growthBytes: peakBytes - residentBytes, ...measureLookups() };
trace.close();
console.log(JSON.stringify(result));

function measureLookups(): Pick<OpenTraceResult, "lookupP50Us" | "readP50Us"> {
  const lookupsUs: number[] = [];
  const readsUs: number[] = [];
  for (let batch = 0; batch < batches; batch++) {
    const asked = nextBatch(batch);
    const fromMs = performance.now();
    const found = asked.map(({ key }) => lookup.take(key, () => true));
    lookupsUs.push((performance.now() - fromMs) * 1000 / asked.length);
    const readMs = performance.now();
    const urls = found.map((each) => each.kind === "hit" ? trace.step(each.entry).request.url : null);
    readsUs.push((performance.now() - readMs) * 1000 / asked.length);
    if (urls.includes(null)) throw new WrongAnswerError("lookups", "a recorded step was not found");
  }
  const settled = batches / 4; // the first ones run before the compiler has seen them
  return {
    lookupP50Us: quantile(lookupsUs.slice(settled), 0.5),
    readP50Us: quantile(readsUs.slice(settled), 0.5),
  };
}

/** The next steps nobody asked for; a short trace begins anew with each batch, so that all sizes take the same way. */
function nextBatch(batch: number): TraceEntry[] {
  const from = (batch * batchSize) % order.length;
  if (from === 0 && batch > 0) lookup = new Lookup(trace.entries);
  return order.slice(from, from + batchSize);
}

/** Fisher and Yates's shuffle, on a generator that needs no more than to be the same each time. */
function shuffled(entries: readonly TraceEntry[], seed: number): TraceEntry[] {
  const order = [...entries];
  let state = seed >>> 0;
  for (let at = order.length - 1; at > 0; at--) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const other = state % (at + 1);
    const [a, b] = [order[at], order[other]];
    if (a === undefined || b === undefined) continue;
    order[at] = b;
    order[other] = a;
  }
  return order;
}
