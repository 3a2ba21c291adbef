import type asn1 from "./_forge.d.ts";

interface Attribute {
  readonly name: string;
  readonly value: string;
}
interface Certificate {
  readonly subject: unknown;
  readonly issuer: unknown;
  readonly extensions: unknown;
  setSubject(attributes: Attribute[]): void;
  setIssuer(attributes: Attribute[]): void;
  setExtensions(extensions: asn1.Extension[]): void;
}
declare const pki: {
  createCertificate(): Certificate;
  distinguishedNameToAsn1(name: unknown): asn1.Node;
  certificateExtensionsToAsn1(extensions: unknown): asn1.Node;
};
export default pki;
