import { Buffer } from "node:buffer";
import { createHash, createPublicKey, type KeyObject, randomBytes, sign } from "node:crypto";
import { isIP } from "node:net";
// node-forge carries no types; only its ASN.1, name and extension encoders are used, so the part of it that is needed is typed here.
// @ts-types="./_forge.d.ts"
import asn1 from "node-forge/lib/asn1.js";
// @ts-types="./_forge_x509.d.ts"
import pki from "node-forge/lib/x509.js";

const { Class, Type } = asn1;
const ecdsaWithSha256 = "1.2.840.10045.4.3.2";
const dayMs = 24 * 60 * 60 * 1000;

/** Who a certificate is for, who signs it, and with which keys. */
export interface CertificateRequest {
  readonly subject: string;
  readonly issuer: string;
  readonly publicKey: KeyObject;
  readonly issuerKey: KeyObject;
  /** DNS name or IP address; absent makes a certificate authority. */
  readonly altName?: string;
  readonly now: Date;
}

/**
 * Builds an X.509 v3 certificate over P-256 keys (RFC 5280, RFC 5758).
 *
 * node-forge signs with RSA only, so it encodes the names and extensions, and the EC key and the ECDSA signature are
 * put into its ASN.1 as node:crypto gives them.
 *
 * @param request Subject, issuer and keys.
 * @returns The certificate as PEM.
 */
export function buildCertificate(request: CertificateRequest): string {
  const certificate = pki.createCertificate();
  certificate.setSubject([{ name: "commonName", value: request.subject }]);
  certificate.setIssuer([{ name: "commonName", value: request.issuer }]);
  certificate.setExtensions(extensionsOf(request));
  const tbs = sequence([
    asn1.create(Class.CONTEXT_SPECIFIC, 0, true, [integer(Uint8Array.of(2))]),
    integer(serialNumber()),
    algorithmIdentifier(),
    pki.distinguishedNameToAsn1(certificate.issuer),
    sequence([time(new Date(request.now.getTime() - dayMs)), time(new Date(request.now.getTime() + 365 * dayMs))]),
    pki.distinguishedNameToAsn1(certificate.subject),
    fromDer(subjectPublicKeyInfo(request.publicKey)),
    pki.certificateExtensionsToAsn1(certificate.extensions),
  ]);
  const signature = sign("sha256", toDer(tbs), request.issuerKey);
  const der = toDer(sequence([tbs, algorithmIdentifier(), bitString(signature)]));
  return pem("CERTIFICATE", der);
}

function extensionsOf(request: CertificateRequest): asn1.Extension[] {
  const authorityKey = { name: "authorityKeyIdentifier", keyIdentifier: binary(keyIdentifier(request.issuerKey)) };
  const subjectKey = {
    name: "subjectKeyIdentifier",
    value: asn1.create(Class.UNIVERSAL, Type.OCTETSTRING, false, binary(keyIdentifier(request.publicKey))),
  };
  if (request.altName === undefined) {
    return [
      { name: "basicConstraints", cA: true, critical: true },
      { name: "keyUsage", keyCertSign: true, cRLSign: true, critical: true },
      subjectKey,
    ];
  }
  const altName = isIP(request.altName) === 0
    ? { type: 2, value: request.altName } // dNSName
    : { type: 7, ip: request.altName }; // iPAddress
  return [
    { name: "basicConstraints", cA: false, critical: true },
    { name: "keyUsage", digitalSignature: true, critical: true },
    { name: "extKeyUsage", serverAuth: true },
    { name: "subjectAltName", altNames: [altName] },
    subjectKey,
    authorityKey,
  ];
}

function subjectPublicKeyInfo(key: KeyObject): Uint8Array {
  const publicKey = key.type === "private" ? createPublicKey(key) : key;
  return publicKey.export({ type: "spki", format: "der" });
}

function keyIdentifier(key: KeyObject): Uint8Array {
  return createHash("sha1").update(subjectPublicKeyInfo(key)).digest(); // RFC 5280 4.2.1.2: any unique octets will do
}

function serialNumber(): Uint8Array {
  const bytes = randomBytes(16);
  bytes[0] = (bytes[0] ?? 0) & 0x7f | 0x40; // positive, and of the same length always
  return bytes;
}

function algorithmIdentifier(): asn1.Node {
  // No NULL beside the OID: RFC 5758 3.2 wants the parameters absent, and rustls and Go refuse them.
  return sequence([asn1.create(Class.UNIVERSAL, Type.OID, false, asn1.oidToDer(ecdsaWithSha256).getBytes())]);
}

function sequence(items: asn1.Node[]): asn1.Node {
  return asn1.create(Class.UNIVERSAL, Type.SEQUENCE, true, items);
}

function integer(bytes: Uint8Array): asn1.Node {
  return asn1.create(Class.UNIVERSAL, Type.INTEGER, false, binary(bytes));
}

function bitString(bytes: Uint8Array): asn1.Node {
  return asn1.create(Class.UNIVERSAL, Type.BITSTRING, false, "\0" + binary(bytes));
}

function time(date: Date): asn1.Node {
  return date.getUTCFullYear() < 2050
    ? asn1.create(Class.UNIVERSAL, Type.UTCTIME, false, asn1.dateToUtcTime(date))
    : asn1.create(Class.UNIVERSAL, Type.GENERALIZEDTIME, false, asn1.dateToGeneralizedTime(date));
}

function fromDer(bytes: Uint8Array): asn1.Node {
  return asn1.fromDer(binary(bytes));
}

function toDer(node: asn1.Node): Uint8Array {
  return Buffer.from(asn1.toDer(node).getBytes(), "latin1");
}

function binary(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("latin1"); // forge's "binary strings"
}

function pem(label: string, der: Uint8Array): string {
  const lines = Buffer.from(der).toString("base64").match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ""].join("\n");
}
