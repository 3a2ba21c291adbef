import type { CassetteOptions } from "./cassette_options.ts";
import { type CassettePlace, cassettePlace } from "./_cassette_path.ts";
import { useCassette } from "./_cassette_use.ts";
import { checkedOptions } from "./_check_options.ts";
import type { Host } from "./host.ts";
import { type CassetteMode, checkWritable, chooseMode } from "./mode.ts";
import { Recording } from "./_recording.ts";
import { type ReplayScope, toReplayScope } from "./replay_scope.ts";
import { Replaying } from "./_replaying.ts";
import type { Ended, Session, SessionParts } from "./_session.ts";

/** Runs a function over a cassette, from the choice of the mode to the sum at the end. */
export async function runSession<Value>(
  host: Host,
  cassette: CassetteOptions["path"] | CassetteOptions,
  fn: (t: ReplayScope) => Value | Promise<Value>,
): Promise<Value> {
  const options = checkedOptions(cassette, fn);
  const place = cassettePlace(options.path);
  const mode = chooseMode(options.mode, place.path, host);
  using use = useCassette(place.path, mode, host);
  if (mode === "record") checkWritable(place.path, host);
  using session = await openSession(mode, place, { options, host });
  const result = await attempt(() => session.scope.run(() => fn(toReplayScope(session))));
  await session.end(endOf(result, session));
  if (session.scope.failure !== null) throw session.scope.failure.error;
  if (result.failed) throw result.cause;
  if (mode === "record") use.recorded();
  return result.value;
}

/** Where one of its requests could not be answered at all, the function has failed, whatever it made of that. */
function endOf(result: Attempt<unknown>, { scope }: Session): Ended {
  if (result.failed) return result;
  return scope.failure === null ? { failed: false } : { failed: true, cause: scope.failure.error };
}

function openSession(mode: CassetteMode, place: CassettePlace, parts: SessionParts): Promise<Session> {
  return mode === "record" ? Recording.open(place, parts) : Replaying.open(mode, place, parts);
}

type Attempt<Value> =
  | { readonly failed: false; readonly value: Value }
  | { readonly failed: true; readonly cause: unknown };

async function attempt<Value>(work: () => Promise<Value>): Promise<Attempt<Value>> {
  try {
    return { failed: false, value: await work() };
  } catch (cause) {
    return { failed: true, cause };
  }
}
