/**
 * The certificate authority of one run: made when the run starts, its key never leaves memory.
 *
 * @module
 */
import { generateKeyPairSync, randomBytes } from "node:crypto";
import { buildCertificate } from "./_x509.ts";

/** A private key and the certificate chain that goes with it, as PEM. */
export interface Leaf {
  readonly keyPem: string;
  readonly certPem: string;
}

/** Signs a certificate for any name it is asked for. */
export interface Authority {
  /** What a client must trust. */
  readonly certificatePem: string;
  /**
   * Gives the certificate of a name, made on first use.
   *
   * @param name A DNS name, or an IP address without brackets.
   */
  leafFor(name: string): Leaf;
}

/** A run that meets more names than this signs some of them again, rather than growing for ever. */
const rememberedLeaves = 1000;

/**
 * Makes an authority over a fresh P-256 key.
 *
 * @param now The moment around which certificates are valid: from a day before to a year after.
 */
export function createAuthority(now: Date = new Date()): Authority {
  // Two authorities may meet in one bundle, and OpenSSL looks for an issuer by its name.
  const issuer = `agrepl CA ${randomBytes(4).toString("hex")}`;
  const root = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const certificatePem = buildCertificate({
    subject: issuer,
    issuer,
    publicKey: root.publicKey,
    issuerKey: root.privateKey,
    now,
  });
  const leafKeys = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const keyPem = leafKeys.privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const leaves = new Map<string, Leaf>();
  return {
    certificatePem,
    leafFor(name) {
      const known = leaves.get(name);
      if (known !== undefined) return known;
      if (leaves.size >= rememberedLeaves) leaves.clear();
      const certPem = buildCertificate({
        subject: "agrepl",
        issuer,
        publicKey: leafKeys.publicKey,
        issuerKey: root.privateKey,
        altName: name,
        now,
      });
      const leaf = { keyPem, certPem };
      leaves.set(name, leaf);
      return leaf;
    },
  };
}
