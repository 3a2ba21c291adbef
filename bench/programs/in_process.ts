/**
 * Replays cassettes in its own process, request after request.
 *
 * Arguments: a cassette of one step, one of 1,000, one of many, how many. Prints one JSON line, an
 * {@link InProcessResult}.
 *
 * @module
 */
import type { InProcessResult } from "../support/in_process.ts";

const importedAt = performance.now();
const { withReplay } = await import("../../mod.ts");
const importMs = performance.now() - importedAt;

const { get } = await import("node:https");
const { answerTo } = await import("../support/exchange.ts");
const { quantile } = await import("../support/statistics.ts");
const { madeUpAuthority } = await import("../support/trace_maker.ts");
const { WrongAnswerError } = await import("../support/wrong_answer_error.ts");

const [one = "", thousand = "", many = "", count = "0"] = Deno.args;
const warmUp = 500;

const result: InProcessResult = {
  importMs,
  firstMs: await timeToFunction(one),
  openMs: await timeToOpen(thousand),
  callMs: await timeToFunction(thousand),
  fetchP50Us: await p50Us(async (path) => await (await fetch(`https://${madeUpAuthority}${path}`)).text()),
  nodeP50Us: await p50Us(byNode),
};
console.log(JSON.stringify(result));

async function timeToFunction(path: string): Promise<number> {
  const fromMs = performance.now();
  return await withReplay({ path, mode: "replay", allowUnused: true }, () => performance.now() - fromMs);
}

async function timeToOpen(path: string): Promise<number> {
  const [{ TraceFile }, { Lookup }] = [await import("../../lib/store/mod.ts"), await import("../../lib/lookup/mod.ts")];
  const fromMs = performance.now();
  using trace = new TraceFile(path, null, { decode: "late" });
  const lookup = new Lookup(trace.entries);
  const openMs = performance.now() - fromMs;
  if (lookup.unused().length !== 1000) throw new WrongAnswerError(path, "other steps than 1,000");
  return openMs;
}

async function p50Us(ask: (path: string) => Promise<string>): Promise<number> {
  const timesUs: number[] = [];
  await withReplay({ path: many, mode: "replay" }, async () => {
    for (let at = 0; at < Number(count); at++) {
      const path = `/step/${at}`;
      const fromMs = performance.now();
      const text = await ask(path);
      timesUs.push((performance.now() - fromMs) * 1000);
      if (text !== answerTo(path)) throw new WrongAnswerError(path, "another answer than the recorded one");
    }
  });
  return quantile(timesUs.slice(warmUp).sort((a, b) => a - b), 0.5);
}

function byNode(path: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const request = get(`https://${madeUpAuthority}${path}`, (response) => {
    let text = "";
    response.setEncoding("latin1");
    response.on("data", (piece) => text += piece).on("end", () => resolve(text));
  });
  request.on("error", reject);
  return promise;
}
