/**
 * A test file that knows nothing of agrepl, run by preload_test.ts under a preload.
 *
 * @module
 */
import { equal } from "node:assert/strict";

const url = Deno.env.get("PRELOADED_URL");

Deno.test("a program that asks twice", async () => {
  for (const path of ["one", "two"]) equal(await (await fetch(`${url}${path}`)).text(), `/${path}`);
});
