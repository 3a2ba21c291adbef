/**
 * Runs an SDK's program in `withReplay`, and prints what it gives. Arguments: the cassette, the server's URL.
 *
 * @module
 */
import { withReplay } from "../../../mod.ts";

/** @param {(url: string) => Promise<unknown>} ask What the SDK is asked for; gives what JSON can carry. */
export async function run(ask) {
  const [path, url] = Deno.args;
  console.log(JSON.stringify(await withReplay(path, () => ask(url))));
}
