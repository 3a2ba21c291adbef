/**
 * What keeps a function from the network.
 *
 * @module
 */
import type { CassetteMode } from "./mode.ts";
import type { Host } from "./host.ts";

/** What keeps a function from the network, strongest first. */
export interface Isolation {
  /**
   * `revoked`: this process has given up its network permission. `denied`: it has none for the whole network. `scope`:
   * only what is captured is answered from the cassette. `none`: the network is meant to be reached.
   */
  readonly held: "revoked" | "denied" | "scope" | "none";
  /** The same as a sentence. */
  readonly why: string;
}

/** Everything that leads to the network; "import" is missing from the runtime's own types. */
const waysOut = ["net", "import" as Deno.PermissionName, "ffi"] as const;

/**
 * Takes away what was asked to be taken away, and tells what holds.
 *
 * @param mode Nothing is taken away but in a strict replay.
 * @param wanted `revoke` gives up the permission for good, for all of this process.
 * @param host The process.
 */
export function isolate(mode: CassetteMode, wanted: "auto" | "revoke" | undefined, host: Host): Isolation {
  if (mode !== "replay") return { held: "none", why: `in the mode "${mode}" the network is reached` };
  if (wanted === "revoke") {
    for (const name of waysOut) Deno.permissions.revokeSync({ name });
    return { held: "revoked", why: "this process has given up its network permission" };
  }
  return host.may({ name: "net" })
    ? { held: "scope", why: "what is captured answers from the cassette; the process itself may reach the network" }
    : { held: "denied", why: "this process has no permission for the network" };
}
