import { deepEqual } from "node:assert/strict";
import { sandboxWarnings } from "./_sandbox_warnings.ts";

const quiet = { names: [], unheard: [], refusedTcp: 0, refusedUdp: 0 };
const origins = [{ host: "api.test", port: 443 }];

Deno.test("sandboxWarnings() says nothing where nothing was refused, or not known", () => {
  deepEqual(sandboxWarnings({ ...quiet, names: ["api.test"] }, origins), []);
  deepEqual(sandboxWarnings({ ...quiet, refusedTcp: null, refusedUdp: null }, origins), []);
  deepEqual(sandboxWarnings(null, origins), []);
});

Deno.test("sandboxWarnings() names strangers, and counts them from the sixth on", () => {
  const names = ["api.test", "a", "b", "c", "d", "e", "f"];
  deepEqual(sandboxWarnings({ ...quiet, names }, origins), [
    "Looked up in the sandbox, and in no step: a, b, c, d, e and 1 more",
  ]);
});

Deno.test("sandboxWarnings() counts what found nobody at its port", () => {
  deepEqual(sandboxWarnings({ ...quiet, refusedTcp: 1, refusedUdp: 2 }, origins), [
    "Refused in the sandbox: 1 TCP connection and 2 UDP datagrams to ports where nothing listens; " +
    "--port PORT leads one to agrepl",
  ]);
});
