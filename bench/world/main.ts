/**
 * Starts a world as a program: prints `{"origin": "https://localhost:PORT", "ca": "/path/to/ca.pem"}` on one line, and
 * ends when its stdin does.
 *
 *     deno run -A bench/world/main.ts [--no-delays] [--plain] [--seed=NUMBER]
 *
 * @module
 */

import { parseArgs } from "node:util";
import { createAuthority } from "../../lib/proxy/mod.ts";
import { startWorld } from "./world.ts";

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { "no-delays": { type: "boolean" }, plain: { type: "boolean" }, seed: { type: "string" } },
  });
  const authority = createAuthority();
  const { keyPem, certPem } = authority.leafFor("localhost");
  await using world = await startWorld({
    key: keyPem,
    cert: certPem,
    delays: !values["no-delays"],
    plain: values.plain ?? false,
    ...(values.seed === undefined ? {} : { seed: Number(values.seed) }),
  });
  const ca = await Deno.makeTempFile({ prefix: "world-ca-", suffix: ".pem" });
  await Deno.writeTextFile(ca, authority.certificatePem);
  console.log(JSON.stringify({ origin: world.origin, ca }));
  await Deno.stdin.readable.pipeTo(new WritableStream());
  await Deno.remove(ca);
}

if (import.meta.main) await main();
