/**
 * The `agrepl` command: records what a program exchanges with the network, and gives it back byte for byte.
 *
 * ```sh
 * deno install --global --allow-all --name agrepl jsr:@agrepl/cli
 * agrepl record -- python agent.py
 * agrepl run latest
 * ```
 *
 * All of it stands in `@agrepl/core`; this package gives it its short name.
 *
 * @module
 */
import { main } from "@agrepl/core/cli";

if (import.meta.main) Deno.exit(await main(Deno.args));
