import { deepEqual, equal, match, ok } from "node:assert/strict";
import tls from "node:tls";
import { javaStorePassword, writeTrustFiles } from "../../lib/child/mod.ts";
import { createAuthority } from "../../lib/proxy/mod.ts";
import { testWith } from "../support/machine_test_case.ts";
import { type Client, clients, node20 } from "./clients.ts";
import { startOriginServer } from "./origin_server.ts";
import { clientFile, nodeCommand } from "./programs.ts";
import { type Ended, openWorkplace, type Workplace } from "./recorded_run.ts";

/** What every client must see, one after the other. */
const behaviours: readonly (readonly [name: string, check: (client: Client) => Promise<void>])[] = [
  ["replays byte for byte with the server gone", replaysByteForByte],
  ["is told which variable its runtime trusts by when it does not trust agrepl", isToldItsVariable],
];

for (const client of clients) {
  for (const [name, check] of behaviours) testWith(client.needs, `${client.name} ${name}`, () => check(client));
}

async function replaysByteForByte(client: Client): Promise<void> {
  await using place = await openWorkplace();
  const recorded = await recordLive(place, client);
  const replayed = await place.agrepl(["run", "latest", "--isolation", "proxy"]);
  equal(replayed.code, client.exitCode, replayed.stderr);
  equal(replayed.stdout, recorded.stdout);
  const { fidelity, hits, misses, steps, network_calls, diverged } = replayed.report;
  deepEqual(
    { fidelity, hits, misses, steps, network_calls, diverged },
    { fidelity: 1, hits: client.steps, misses: [], steps: client.steps, network_calls: 0, diverged: false },
  );
}

/** The server is gone when this returns. */
async function recordLive(place: Workplace, client: Client): Promise<Ended> {
  await using server = await startOriginServer(client.host);
  const ca = await place.write("server.pem", server.certificatePem);
  const recorded = await place.agrepl(["record", "--upstream-ca", ca], await client.command(server.origin));
  equal(recorded.code, client.exitCode, recorded.stderr);
  equal(recorded.report["steps"], client.steps);
  deepEqual(new Set(await place.httpVersions()), new Set([client.httpVersion]));
  for (const word of server.words) ok(recorded.stdout.includes(word), `${word} is not in:\n${recorded.stdout}`);
  return recorded;
}

async function isToldItsVariable(client: Client): Promise<void> {
  await using place = await openWorkplace();
  await using server = await startOriginServer(client.host);
  const ca = await place.write("server.pem", server.certificatePem);
  const other = await place.write("other.pem", createAuthority().certificatePem);
  const command = await client.distrusting(server.origin, other);
  const { code, stderr, report } = await place.agrepl(["record", "--upstream-ca", ca], command);
  ok(code !== 0 && code !== client.exitCode, stderr);
  equal(report["steps"], 0);
  match(stderr, client.advice);
  match(stderr, /warning No step was recorded: /);
}

testWith(["npm"], "Node 20 goes past the proxy, and the end of the empty recording says so", async () => {
  const node = await nodeCommand(node20);
  await using place = await openWorkplace();
  await using server = await startOriginServer("localhost", "http");
  const program = [clientFile("javascript.mjs"), "fetch", server.origin];
  const { code, stdout, stderr, report } = await place.agrepl(["record"], [node, ...program]);
  equal(code, 22, stderr);
  ok(server.words.every((word) => stdout.includes(word)));
  equal(report["steps"], 0);
  match(
    stderr,
    /No step was recorded: .*Node honours proxy variables from 22\.21 and 24\.5 on; older ones ignore them/,
  );
});

testWith(
  ["keytool"],
  "Java's own keytool reads the trust store, and finds our authority beside the public roots",
  async () => {
    using files = writeTrustFiles(createAuthority().certificatePem, []);
    const args = ["-list", "-keystore", files.javaStore(), "-storepass", javaStorePassword];
    const { code, stdout } = await new Deno.Command("keytool", { args: ["-J-Duser.language=en", ...args] }).output();
    const listed = new TextDecoder().decode(stdout);
    equal(code, 0, listed);
    match(listed, /Keystore type: JKS/);
    equal(listed.match(/trustedCertEntry/g)?.length, tls.rootCertificates.length + 1);
  },
);
