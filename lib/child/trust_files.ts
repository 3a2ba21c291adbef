/**
 * The certificates that a child must trust, in the forms that its runtimes read.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { join } from "node:path";
import tls from "node:tls";

/** Files of one run, in a folder that only its owner may enter; gone when disposed of. */
export interface TrustFiles extends Disposable {
  /** The run's own authority and the user's further ones, for variables that add to the public roots. */
  readonly own: string;
  /** The public roots and the run's own, for variables that replace them. */
  readonly merged: string;
  /** The same as {@link merged} for a Java virtual machine; written when first asked for. */
  readonly javaStore: () => string;
}

/** A trust store holds nothing secret; Java wants a password all the same. */
export const javaStorePassword = "changeit";

/**
 * Writes the certificates of a run.
 *
 * @param authorityPem The run's own authority.
 * @param further Authorities that the user's own environment adds, as PEM.
 */
export function writeTrustFiles(authorityPem: string, further: readonly string[]): TrustFiles {
  const folder = Deno.makeTempDirSync({ prefix: "agrepl-" });
  const merged = [...tls.rootCertificates, ...further, authorityPem];
  const write = (name: string, content: Uint8Array): string => {
    const path = join(folder, name);
    Deno.writeFileSync(path, content, { mode: 0o600 });
    return path;
  };
  return {
    own: write("ca.pem", bundle([...further, authorityPem])),
    merged: write("bundle.pem", bundle(merged)),
    javaStore: () => write("truststore.jks", javaKeyStore(merged.flatMap(derOf))),
    [Symbol.dispose]: () => Deno.removeSync(folder, { recursive: true }),
  };
}

function bundle(certificates: readonly string[]): Uint8Array {
  return Buffer.from(certificates.map((pem) => `${pem.trim()}\n`).join(""));
}

function derOf(pem: string): Uint8Array[] {
  const blocks = pem.matchAll(/-----BEGIN CERTIFICATE-----([^-]+)-----END CERTIFICATE-----/g);
  return [...blocks].map((block) => Buffer.from(block[1] ?? "", "base64"));
}

/**
 * A Java key store of trusted certificates, in Java's own format (JKS, version 2): every Java reads it, and it is twenty
 * lines, where PKCS#12 needs an attribute for trusted certificates that no library at hand writes.
 */
function javaKeyStore(certificates: readonly Uint8Array[]): Uint8Array {
  const entries = certificates.flatMap((certificate, index) => [
    int(2), // a trusted certificate
    javaString(`agrepl-${index}`),
    Buffer.alloc(8), // when it was added: nobody reads it
    javaString("X.509"),
    int(certificate.length),
    certificate,
  ]);
  const content = Buffer.concat([int(0xfeedfeed), int(2), int(certificates.length), ...entries]);
  const password = Buffer.from(javaStorePassword, "utf16le").swap16();
  const digest = createHash("sha1").update(password).update("Mighty Aphrodite").update(content).digest();
  return Buffer.concat([content, digest]);
}

function int(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function javaString(text: string): Buffer {
  const bytes = Buffer.alloc(2 + text.length);
  bytes.writeUInt16BE(text.length);
  bytes.write(text, 2, "ascii");
  return bytes;
}
