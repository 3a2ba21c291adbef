import { deepEqual } from "node:assert/strict";
import { isLetIn, listeningPorts, placesOf } from "./_sandbox_places.ts";

const ports = [80, 443];

Deno.test("placesOf() needs none for names on the usual ports", () => {
  deepEqual(placesOf([{ host: "api.test", port: 443 }, { host: "192.0.2.1", port: 80 }], ports), []);
});

Deno.test("placesOf() lets DNS give a name on another port its address, and takes addresses as they are", () => {
  const origins = [{ host: "api.test", port: 8080 }, { host: "192.0.2.1", port: 8080 }, {
    host: "[2001:db8::1]",
    port: 1,
  }];
  deepEqual(placesOf(origins, ports), [
    { host: "api.test", address: null, port: 8080 },
    { host: "192.0.2.1", address: "192.0.2.1", port: 8080 },
    { host: "[2001:db8::1]", address: "2001:db8::1", port: 1 },
  ]);
});

Deno.test("placesOf() puts localhost behind the address that was recorded beside it, on usual ports too", () => {
  const origins = [{ host: "localhost", port: 8080 }, { host: "127.0.0.1", port: 8080 }, {
    host: "localhost",
    port: 80,
  }];
  deepEqual(placesOf(origins, ports).map(({ host, address, port }) => `${host} ${address} ${port}`), [
    "127.0.0.1 127.0.0.1 8080",
    "localhost 127.0.0.1 8080",
    "localhost ::1 8080",
    "localhost 127.0.0.1 80",
    "localhost ::1 80",
  ]);
});

const tcp = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt
   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000
   1: 00000000:0050 00000000:0000 0A 00000000:00000000 00:00000000 00000000
   2: 0100007F:1F91 0100007F:0050 01 00000000:00000000 00:00000000 00000000
   3: 0202000A:1F92 00000000:0000 0A 00000000:00000000 00:00000000 00000000
`;
const tcp6 = `  sl  local_address                         remote_address                        st
   0: 00000000000000000000000001000000:1F93 00000000000000000000000000000000:0000 0A
   1: 00000000000000000000000000000000:1F90 00000000000000000000000000000000:0000 0A
`;

Deno.test("listeningPorts() finds what listens on loopback or everywhere, once", () => {
  deepEqual(listeningPorts([tcp, tcp6, ""]), [8080, 80, 8083]);
});

Deno.test("isLetIn() takes the ports of loopback that were allowed, and those of no other host", () => {
  const origins = [{ host: "localhost", port: 5432 }, { host: "db.test", port: 5432 }, { host: "[::1]", port: 1 }];
  deepEqual(origins.map((origin) => isLetIn(origin, [5432])), [true, false, false]);
});
