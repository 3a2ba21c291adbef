/** gRPC, whose answers are in their trailers and whose errors are all head. */
import { equal, match, ok } from "node:assert/strict";
import { createAuthority } from "../../lib/proxy/mod.ts";
import { testWith } from "../support/machine_test_case.ts";
import { grpcPrograms, nodeCommand } from "./programs.ts";
import { openWorkplace } from "./recorded_run.ts";

const node24 = "24.21.0";

/** A gRPC server in a process of its own. */
async function startServer(folder: string) {
  const authority = createAuthority();
  const { keyPem, certPem } = authority.leafFor("localhost");
  const process = new Deno.Command(await nodeCommand(node24), {
    args: [`${folder}/server.mjs`],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const input = process.stdin.getWriter();
  await input.write(new TextEncoder().encode(`${JSON.stringify({ key: keyPem, cert: certPem })}\n`));
  const output = process.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const { value: port = "" } = await output.read();
  return {
    origin: `localhost:${port.trim()}`,
    certificatePem: authority.certificatePem,
    /** Ends the server; gives the words that its answers were made of. */
    async stop(): Promise<string[]> {
      await input.close();
      let text = "";
      for (let read = await output.read(); !read.done; read = await output.read()) text += read.value;
      await process.status;
      return text.split("\n").filter((line) => line !== "");
    },
  };
}

testWith(["npm"], "gRPC for Node replays calls, streams and errors with the server gone", async () => {
  const folder = await grpcPrograms();
  const node = await nodeCommand(node24);
  await using place = await openWorkplace();
  const server = await startServer(folder);
  const ca = await place.write("server.pem", server.certificatePem);
  const command = [node, `${folder}/client.mjs`, server.origin];
  const recorded = await place.agrepl(["record", "--upstream-ca", ca], command);
  const words = await server.stop();
  equal(recorded.code, 22, recorded.stderr);
  equal(words.length, 8);
  ok(words.every((word) => recorded.stdout.includes(word)), recorded.stdout);
  match(recorded.stdout, /code: 5/);
  const replayed = await place.agrepl(["run", "latest", "--isolation", "proxy"]);
  equal(replayed.code, 22, replayed.stderr);
  equal(replayed.stdout, recorded.stdout);
  equal(replayed.report["fidelity"], 1);
  equal(replayed.report["hits"], 3);
});
