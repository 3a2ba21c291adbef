import { deepEqual, equal, ok } from "node:assert/strict";
import { createHash, X509Certificate } from "node:crypto";
import { dirname } from "node:path";
import tls from "node:tls";
import { javaStorePassword, writeTrustFiles } from "./trust_files.ts";

const [own = "", further = ""] = tls.rootCertificates; // any two certificates will do

function certificatesIn(path: string): X509Certificate[] {
  const blocks = Deno.readTextFileSync(path).match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  return blocks.map((block) => new X509Certificate(block));
}

Deno.test("writeTrustFiles() writes the user's and the run's own authority, for variables that add to the roots", () => {
  using files = writeTrustFiles(own, [further]);
  deepEqual(certificatesIn(files.own).map(({ raw }) => raw), [further, own].map((pem) => new X509Certificate(pem).raw));
});

Deno.test("writeTrustFiles() merges the public roots, the user's and our own, for variables that replace", () => {
  using files = writeTrustFiles(own, [further]);
  const found = certificatesIn(files.merged);
  equal(found.length, tls.rootCertificates.length + 2);
  deepEqual(found.at(-1)?.raw, new X509Certificate(own).raw);
});

Deno.test("writeTrustFiles() lets only the owner in, and leaves nothing behind", () => {
  let folder: string;
  {
    using files = writeTrustFiles(own, []);
    folder = dirname(files.own);
    if (Deno.build.os !== "windows") equal((Deno.statSync(folder).mode ?? 0) & 0o77, 0);
    files.javaStore();
  }
  ok(!dirExists(folder));
});

function dirExists(path: string): boolean {
  try {
    return Deno.statSync(path).isDirectory;
  } catch {
    return false;
  }
}

Deno.test("javaStore() is a JKS of version 2 that holds every certificate of the bundle", () => {
  using files = writeTrustFiles(own, [further]);
  const store = new DataView(Deno.readFileSync(files.javaStore()).buffer);
  equal(store.getUint32(0), 0xfeedfeed);
  equal(store.getUint32(4), 2);
  equal(store.getUint32(8), tls.rootCertificates.length + 2);
});

Deno.test("javaStore() ends with the digest that Java checks", () => {
  using files = writeTrustFiles(own, []);
  const bytes = Deno.readFileSync(files.javaStore());
  const password = new Uint8Array([...javaStorePassword].flatMap((letter) => [0, letter.charCodeAt(0)]));
  const digest = createHash("sha1").update(password).update("Mighty Aphrodite").update(bytes.subarray(0, -20)).digest();
  deepEqual([...bytes.subarray(-20)], [...digest]);
});

Deno.test("javaStore() holds the first certificate as DER behind its alias and type", () => {
  using files = writeTrustFiles(own, []);
  const bytes = Deno.readFileSync(files.javaStore());
  const view = new DataView(bytes.buffer);
  const aliasBytes = view.getUint16(16);
  const typeAt = 18 + aliasBytes + 8;
  const certAt = typeAt + 2 + view.getUint16(typeAt) + 4;
  const certBytes = view.getUint32(certAt - 4);
  equal(new X509Certificate(bytes.subarray(certAt, certAt + certBytes)).subject, new X509Certificate(own).subject);
});
