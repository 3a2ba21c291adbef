import { equal } from "node:assert/strict";
import { NameTable } from "./_name_table.ts";

Deno.test("NameTable gives addresses of 198.18.0.0/15 and knows whose they are", () => {
  const table = new NameTable();
  const names = Array.from({ length: 70_000 }, (_, index) => `n${index}.test`);
  const addresses = names.map((name) => table.addressOf(name));
  equal(new Set(addresses).size, names.length);
  equal(addresses[255], "198.18.1.0");
  equal(addresses.at(-1), "198.19.17.112");
  equal(table.nameOf("198.19.17.112"), "n69999.test");
  equal(table.nameOf("198.19.17.113"), undefined);
});

Deno.test("NameTable gives null when every address is given away", () => {
  const table = new NameTable();
  for (let index = 1; index < 2 ** 17; index++) table.addressOf(String(index));
  equal(table.addressOf("one too many"), null);
  equal(table.addressOf("1"), "198.18.0.1");
});
