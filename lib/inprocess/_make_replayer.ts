import { rekey, Replayer, type ReplayerOptions } from "../engine/mod.ts";
import type { TraceFile } from "../store/mod.ts";
import { joinKeyRules, toOnExhausted, toPace } from "./cassette_options.ts";
import { compileFor, redactorFor } from "./_engine_parts.ts";
import type { SessionParts } from "./_session.ts";

/**
 * Makes what answers from a trace, under its own rules and those of the options.
 *
 * @param more What the caller brings: a clock, a fallback.
 */
export async function makeReplayer(
  trace: TraceFile,
  { options, host }: SessionParts,
  more: Pick<ReplayerOptions, "clock" | "fallback" | "onMiss">,
): Promise<Replayer> {
  const keyRules = joinKeyRules(trace.header.key, options);
  const context = { redactor: redactorFor(options, host), rules: compileFor(keyRules, host) };
  return new Replayer({
    ...context,
    trace,
    entries: keyRules === trace.header.key ? trace.entries : await rekey(trace, context),
    onExhausted: toOnExhausted(options),
    pace: toPace(options.timing),
    ...more,
  });
}
