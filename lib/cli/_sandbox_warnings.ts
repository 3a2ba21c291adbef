import type { SandboxSightings } from "../child/mod.ts";
import { counted } from "../report/mod.ts";
import type { HostAndPort } from "./_sandbox_places.ts";

/** A report is to stay on one screen. */
const shown = 5;

/**
 * Says what a sandbox refused: names that no step knows, and what found nobody at its port.
 *
 * @param sightings `null` without a sandbox.
 * @param origins Those that the trace knows.
 */
export function sandboxWarnings(sightings: SandboxSightings | null, origins: readonly HostAndPort[]): string[] {
  if (sightings === null) return [];
  const known = new Set(origins.map(({ host }) => host));
  const strangers = sightings.names.filter((name) => !known.has(name));
  const others = strangers.length > shown ? ` and ${strangers.length - shown} more` : "";
  return [
    ...(strangers.length === 0
      ? []
      : [`Looked up in the sandbox, and in no step: ${strangers.slice(0, shown).join(", ")}${others}`]),
    ...refusalsOf(sightings),
  ];
}

/** Why a recording in a sandbox may hold no step. */
export const unreachedInSandbox =
  "No step was recorded: the command made no HTTP request, or on a port that does not lead to agrepl (--port PORT)";

/**
 * Says what found nobody at its port, and what could not be listened on.
 *
 * @param sightings `null` without a sandbox.
 */
export function refusalsOf(sightings: SandboxSightings | null): string[] {
  if (sightings === null) return [];
  const { refusedTcp, refusedUdp, unheard } = sightings;
  const parts = [
    ...(refusedTcp === null || refusedTcp === 0 ? [] : [counted(refusedTcp, "TCP connection")]),
    ...(refusedUdp === null || refusedUdp === 0 ? [] : [counted(refusedUdp, "UDP datagram")]),
  ];
  if (parts.length === 0) return [...unheard];
  return [
    ...unheard,
    `Refused in the sandbox: ${parts.join(" and ")} to ports where nothing listens; --port PORT leads one to agrepl`,
  ];
}
