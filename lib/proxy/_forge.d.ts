declare namespace asn1 {
  interface Node {
    readonly value: string | Node[];
  }
  interface ByteBuffer {
    getBytes(): string;
  }
  interface Extension {
    readonly name: string;
    readonly [field: string]: unknown;
  }
}
declare const asn1: {
  readonly Class: { readonly UNIVERSAL: number; readonly CONTEXT_SPECIFIC: number };
  readonly Type: Readonly<
    Record<"INTEGER" | "BITSTRING" | "OCTETSTRING" | "OID" | "SEQUENCE" | "UTCTIME" | "GENERALIZEDTIME", number>
  >;
  create(tagClass: number, type: number, constructed: boolean, value: string | asn1.Node[]): asn1.Node;
  fromDer(bytes: string): asn1.Node;
  toDer(node: asn1.Node): asn1.ByteBuffer;
  oidToDer(oid: string): asn1.ByteBuffer;
  dateToUtcTime(date: Date): string;
  dateToGeneralizedTime(date: Date): string;
};
export default asn1;
