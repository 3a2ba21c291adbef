/**
 * The entry of the `agrepl` command.
 *
 * @module
 */
import { main } from "./lib/cli/mod.ts";

export { main };

if (import.meta.main) Deno.exit(await main(Deno.args));
