import { Buffer } from "node:buffer";
import { deepEqual, equal } from "node:assert/strict";
import { dnsQuery } from "../../tests/support/dns_query.ts";
import { dnsCode, dnsType } from "./_dns_message.ts";
import { DnsStub } from "./_dns_stub.ts";
import { NameTable } from "./_name_table.ts";

/** What a stub said: its code, and the last address of its answer where it has one. */
function ask(stub: DnsStub, name: string, type: number = dnsType.a): { code: number; addresses: number; last: string } {
  const answer = Buffer.from(stub.answer(dnsQuery(name, type)) ?? []);
  const addresses = answer.readUInt16BE(6);
  return { code: answer.readUInt16BE(2) & 15, addresses, last: addresses === 0 ? "" : answer.subarray(-4).join(".") };
}

function newStub(): { stub: DnsStub; asked: string[] } {
  const asked: string[] = [];
  return { stub: new DnsStub(new NameTable(), (name) => asked.push(name)), asked };
}

Deno.test("DnsStub answers each name with an address of its own, and the same again", () => {
  const { stub } = newStub();
  equal(ask(stub, "a.test").last, "198.18.0.1");
  equal(ask(stub, "b.test").last, "198.18.0.2");
  equal(ask(stub, "A.TEST").last, "198.18.0.1");
});

Deno.test("DnsStub has no data for IPv6 and other kinds of records", () => {
  const { stub } = newStub();
  for (const type of [dnsType.aaaa, 65, 16, 33]) {
    deepEqual(ask(stub, "a.test", type), { code: dnsCode.ok, addresses: 0, last: "" });
  }
});

Deno.test("DnsStub answers names of loopback with loopback, and tells nobody", () => {
  const { stub, asked } = newStub();
  equal(ask(stub, "localhost").last, "127.0.0.1");
  equal(ask(stub, "app.localhost", dnsType.aaaa).last, "0.0.0.1"); // the end of ::1
  deepEqual(asked, []);
});

Deno.test("DnsStub tells each name once, and no address that is asked for its name", () => {
  const { stub, asked } = newStub();
  for (const name of ["a.test", "A.test", "b.test", "1.0.18.198.in-addr.arpa"]) ask(stub, name);
  deepEqual(asked, ["a.test", "b.test"]);
});

Deno.test("DnsStub knows no name that could not stand in a URL or in a line", () => {
  const { stub, asked } = newStub();
  for (const name of ["a b.test", "a\n.test", "a..test".replace("..", ".\u00e9.")]) {
    equal(ask(stub, name).code, dnsCode.noSuchName);
  }
  deepEqual(asked, []);
});

Deno.test("DnsStub leaves what is no query without an answer", () => {
  equal(newStub().stub.answer(Uint8Array.of(1, 2, 3)), null);
});
