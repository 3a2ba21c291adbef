/** What the servers of the bench have in common: how they say where they are, and when they end. */

import type { Authority } from "../../lib/proxy/mod.ts";

/** Where a server is and what to trust. */
export interface Announced {
  readonly port: number;
  /** The path of a PEM file. */
  readonly ca: string;
}

/**
 * Announces this process on stdout and waits until its stdin ends; then ends the process.
 *
 * @param port Where it listens.
 * @param authority What is to be trusted.
 */
export async function announceUntilEnd(port: number, authority: Authority): Promise<never> {
  const ca = Deno.makeTempFileSync({ prefix: "agrepl-bench-", suffix: ".pem" });
  Deno.writeTextFileSync(ca, authority.certificatePem);
  const announced: Announced = { port, ca };
  console.log(JSON.stringify(announced));
  for await (const _ of Deno.stdin.readable);
  Deno.removeSync(ca);
  Deno.exit(0);
}
