import type { CliContext } from "./_context.ts";
import { Isolation } from "./_isolation.ts";
import type { RecordOptions } from "./_options.ts";
import { isLetIn, localOrigins, placesOf, usualPorts } from "./_sandbox_places.ts";

/** Begins the sandbox of `record --sandbox`; `null` without that option. */
export function beginRecordIsolation(context: CliContext, options: RecordOptions): Isolation | null {
  if (options.sandbox !== true) return null;
  return Isolation.begin(context, { ...options, layer: "sandbox", fallback: false, cwd: context.cwd });
}

/** Opens it: what listens on this machine's loopback by now is found on the child's, and recorded. */
export async function openRecordIsolation(
  isolation: Isolation | null,
  { port, allowLocal }: RecordOptions,
  proxyPort: number,
): Promise<void> {
  const ports = [...usualPorts, ...port];
  const local = localOrigins().filter((origin) => origin.port !== proxyPort && !isLetIn(origin, allowLocal));
  await isolation?.open({ proxyPort, ports, places: placesOf(local, ports) });
}
