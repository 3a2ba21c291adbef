import { deepEqual, equal } from "node:assert/strict";
import { UpstreamError } from "../engine/mod.ts";
import { toUpstreamError } from "./_failure.ts";

function failure(code: string): Error {
  return Object.assign(new Error(`it says ${code}`), { code });
}

const phases: Record<string, string> = {
  ENOTFOUND: "dns",
  EAI_AGAIN: "dns",
  ECONNREFUSED: "connect",
  EHOSTUNREACH: "connect",
  CERT_HAS_EXPIRED: "tls",
  ERR_TLS_CERT_ALTNAME_INVALID: "tls",
  DEPTH_ZERO_SELF_SIGNED_CERT: "tls",
};

for (const [code, phase] of Object.entries(phases)) {
  Deno.test(`toUpstreamError() says ${phase} for ${code}, whatever was reached`, () => {
    const error = toUpstreamError(failure(code), "read");
    deepEqual([error.phase, error.code, error.message], [phase, code, `it says ${code}`]);
  });
}

Deno.test("toUpstreamError() says dns for any failure of the look-up", () => {
  equal(toUpstreamError(Object.assign(failure("EPERM"), { syscall: "getaddrinfo" }), "connect").phase, "dns");
});

Deno.test("toUpstreamError() says what was reached for a code that may come at any time", () => {
  for (const phase of ["connect", "tls", "read"] as const) {
    equal(toUpstreamError(failure("ECONNRESET"), phase).phase, phase);
    equal(toUpstreamError(failure("ETIMEDOUT"), phase).phase, phase);
  }
});

Deno.test("toUpstreamError() passes an UpstreamError on, and names what has no code", () => {
  const known = new UpstreamError("dns", "ENOTFOUND", "no such name");
  equal(toUpstreamError(known, "read"), known);
  equal(toUpstreamError(new Error("closed"), "read").code, "ECONNRESET");
  deepEqual([toUpstreamError("odd", "read").code, toUpstreamError("odd", "read").message], ["EUNKNOWN", "odd"]);
});
