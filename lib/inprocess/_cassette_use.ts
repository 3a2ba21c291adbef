import { cassetteExists } from "../store/mod.ts";
import { CassetteInUseError } from "./cassette_in_use_error.ts";
import type { Host } from "./host.ts";
import type { CassetteMode } from "./mode.ts";

/** The cassettes of a process. */
interface Uses {
  /** Those that functions use now; how many replay each, or that one records it. */
  readonly now: Map<string, number | "record">;
  /** Those that have been recorded. */
  readonly recorded: Set<string>;
}

const usesOf = new WeakMap<Host, Uses>();

/** A cassette in use by one function. */
export interface CassetteUse extends Disposable {
  /** The function has recorded it: no other is to write over that. */
  recorded(): void;
}

/**
 * Takes a cassette into use. Any number may replay it at once; one that records it wants it for itself, and for good:
 * what a second one records would take the place of what the first has.
 *
 * @param path Absolute.
 * @returns Lets it go.
 * @throws {CassetteInUseError} when another function is in the way.
 */
export function useCassette(path: string, mode: CassetteMode, host: Host): CassetteUse {
  const uses = usesOf.get(host) ?? { now: new Map(), recorded: new Set() };
  usesOf.set(host, uses);
  const now = uses.now.get(path) ?? 0;
  if (now === "record") throw new CassetteInUseError(path, "another function records it at this moment");
  if (mode === "record") {
    if (now > 0) throw new CassetteInUseError(path, "another function replays it at this moment");
    if (uses.recorded.has(path) && cassetteExists(path)) {
      throw new CassetteInUseError(path, "another function of this process has recorded it already");
    }
  }
  uses.now.set(path, mode === "record" ? "record" : now + 1);
  return { recorded: () => void uses.recorded.add(path), [Symbol.dispose]: () => letGo(uses, path) };
}

function letGo({ now }: Uses, path: string): void {
  const users = now.get(path);
  if (typeof users === "number" && users > 1) now.set(path, users - 1);
  else now.delete(path);
}
