/**
 * TLS servers on loopback under an authority of the tests' own.
 *
 * @module
 */
import { createAuthority } from "../../lib/proxy/mod.ts";
import { type RawUpstream, type Script, startUpstream } from "./raw_upstream.ts";

const world = createAuthority();

/** What a client of {@link startSecure} must trust, as PEM. */
export const worldTrust: string = world.certificatePem;

/** Starts a raw server behind TLS, with a certificate for `name`. */
export function startSecure(script: Script, name = "localhost"): Promise<RawUpstream> {
  const { keyPem, certPem } = world.leafFor(name);
  return startUpstream(script, { key: keyPem, cert: certPem });
}
