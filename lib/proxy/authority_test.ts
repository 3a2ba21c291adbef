import { deepEqual, equal, notEqual, ok } from "node:assert/strict";
import { createPrivateKey, X509Certificate } from "node:crypto";
import { createAuthority } from "./authority.ts";

Deno.test("createAuthority() signs leaves that verify under its certificate, and under no other", () => {
  const authority = createAuthority();
  const root = new X509Certificate(authority.certificatePem);
  const leaf = new X509Certificate(authority.leafFor("api.test").certPem);
  ok(root.ca && !leaf.ca && leaf.checkIssued(root) && leaf.verify(root.publicKey));
  equal(leaf.verify(new X509Certificate(createAuthority().certificatePem).publicKey), false);
  ok(leaf.checkPrivateKey(createPrivateKey(authority.leafFor("api.test").keyPem)));
});

Deno.test("createAuthority() names a leaf for a host or for an address", () => {
  const authority = createAuthority();
  const names = ["api.test", "127.0.0.1", "::1"].map((name) =>
    new X509Certificate(authority.leafFor(name).certPem).subjectAltName
  );
  deepEqual(names, ["DNS:api.test", "IP Address:127.0.0.1", "IP Address:::1"]);
});

Deno.test("createAuthority() makes certificates valid from a day before to a year after", () => {
  const authority = createAuthority(new Date("2026-11-20T00:00:00Z"));
  for (const pem of [authority.certificatePem, authority.leafFor("a").certPem]) {
    const { validFrom, validTo } = new X509Certificate(pem);
    const dates = [validFrom, validTo].map((date) => new Date(date).toISOString().slice(0, 10));
    deepEqual(dates, ["2026-11-19", "2027-11-20"]);
  }
});

Deno.test("createAuthority() gives the same leaf again, but does not keep more than a thousand", () => {
  const authority = createAuthority();
  const first = authority.leafFor("first.test");
  equal(authority.leafFor("first.test"), first);
  for (let index = 0; index < 1000; index++) authority.leafFor(`${index}.test`);
  notEqual(authority.leafFor("first.test"), first);
});
