/** What `agrepl doctor` finds out about a command by making its runtime ask. */
import { deepEqual, equal, match } from "node:assert/strict";
import { ScriptRoom } from "../support/script_room.ts";

const deno = `"${Deno.execPath()}"`;

async function checked(command: string) {
  using room = new ScriptRoom();
  room.write("main.ts", "");
  const { stdout, stderr, code } = await room.run(`agrepl doctor --json -- ${command}`);
  equal(stderr, "");
  const { command: found, layers } = JSON.parse(stdout);
  return { code, layers, ...found };
}

Deno.test("doctor finds that a runtime's requests reach agrepl, over TLS too", async () => {
  const { code, runtime, http, https } = await checked(`${deno} run main.ts`);
  deepEqual({ code, runtime, http, https }, { code: 0, runtime: "Deno", http: "arrived", https: "arrived" });
});

Deno.test("doctor finds a variable that a command overrides: its requests go past agrepl", async () => {
  const { code, http, https } = await checked(`env HTTP_PROXY= http_proxy= ALL_PROXY= all_proxy= ${deno} run main.ts`);
  deepEqual({ code, http, https }, { code: 1, http: "past", https: "arrived" });
});

Deno.test("doctor names the variable that carries the certificate, where TLS is not trusted", async () => {
  const { code, http, advice } = await checked(`env --unset=DENO_CERT --unset=NODE_EXTRA_CA_CERTS ${deno} run main.ts`);
  deepEqual({ code, http }, { code: 1, http: "arrived" });
  match(advice.join(), /led to agrepl's certificate by DENO_CERT; something seems to override that/);
});

Deno.test("doctor tells whether Deno's permissions hold a command", async () => {
  const held = async (command: string) => (await checked(command)).layers[1].available;
  deepEqual([await held(`${deno} run main.ts`), await held(`${deno} task dev`)], [true, false]);
});
