import { resolve } from "node:path";
import { CassetteInUseError } from "./cassette_in_use_error.ts";
import type { CassetteMode } from "./mode.ts";

/** The cassettes that functions of this process use now; how many replay each, or that one records it. */
const used = new Map<string, number | "record">();

/**
 * Takes a cassette into use. Any number may replay it at once; one that records it wants it for itself.
 *
 * @returns Lets it go.
 * @throws {CassetteInUseError} when another function is in the way.
 */
export function useCassette(path: string, mode: CassetteMode): Disposable {
  const file = resolve(path);
  const now = used.get(file) ?? 0;
  if (now === "record") throw new CassetteInUseError(path, "another function records it at this moment");
  if (mode === "record" && now > 0) throw new CassetteInUseError(path, "another function replays it at this moment");
  used.set(file, mode === "record" ? "record" : now + 1);
  return { [Symbol.dispose]: () => letGo(file) };
}

function letGo(file: string): void {
  const now = used.get(file);
  if (typeof now === "number" && now > 1) used.set(file, now - 1);
  else used.delete(file);
}
