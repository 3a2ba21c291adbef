/** WebSocket clients of many runtimes against npm's ws, over wss and ws, with compression where they offer it. */
import { equal, match, ok } from "node:assert/strict";
import { createAuthority } from "../../lib/proxy/mod.ts";
import { testWith } from "../support/machine_test_case.ts";
import {
  clientFile,
  denoCommand,
  goWebSocketProgram,
  nodeCommand,
  pythonCommand,
  webSocketPrograms,
} from "./programs.ts";
import { openWorkplace } from "./recorded_run.ts";

const node24 = "24.21.0";

interface SocketClient {
  readonly name: string;
  readonly needs: readonly string[];
  /** What it calls the machine it runs on. */
  readonly host: string;
  readonly command: (url: string) => Promise<readonly string[]>;
}

const clients: readonly SocketClient[] = [
  javascript("Deno's WebSocket", "global", () => denoRun()),
  javascript("ws under Deno", "ws", () => denoRun()),
  javascript("Node 24's WebSocket", "global", async () => [await nodeCommand(node24)]),
  javascript("ws under Node 24", "ws", async () => [await nodeCommand(node24)]),
  python("websockets"),
  python("websocket-client"),
  {
    name: "Go, gorilla/websocket",
    needs: ["go", "npm"],
    host: "0.0.0.0", // Go takes "localhost" and 127.0.0.1 past every proxy; this reaches the same machine
    command: async (url) => [await goWebSocketProgram(), url],
  },
];

async function denoRun(): Promise<readonly string[]> {
  return [await denoCommand(), "run", "-A", "--no-config"];
}

function javascript(name: string, kind: "global" | "ws", runtime: () => Promise<readonly string[]>): SocketClient {
  const command = async (url: string) => [...await runtime(), `${await webSocketPrograms()}/client.mjs`, kind, url];
  return { name, needs: ["npm"], host: "localhost", command };
}

function python(library: "websockets" | "websocket-client"): SocketClient {
  const command = async (url: string) => [await pythonCommand(), clientFile("web_socket.py"), library, url];
  return { name: `Python, ${library}`, needs: ["python3", "npm"], host: "localhost", command };
}

/** A server in a process of its own. */
async function startServer(host: string) {
  const authority = createAuthority();
  const { keyPem, certPem } = authority.leafFor(host);
  const process = new Deno.Command(await nodeCommand(node24), {
    args: [`${await webSocketPrograms()}/server.mjs`],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const input = process.stdin.getWriter();
  await input.write(new TextEncoder().encode(`${JSON.stringify({ key: keyPem, cert: certPem })}\n`));
  const output = process.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const { value: ports = "" } = await output.read();
  const [secure, plain] = ports.trim().split(" ");
  return {
    urls: { wss: `wss://${host}:${secure}/chat`, ws: `ws://${host}:${plain}/chat` },
    certificatePem: authority.certificatePem,
    /** Ends the server; gives the words that its messages were made of. */
    async stop(): Promise<string[]> {
      await input.close();
      let text = "";
      for (let read = await output.read(); !read.done; read = await output.read()) text += read.value;
      await process.status;
      return text.split("\n").filter((line) => line !== "");
    },
  };
}

for (const client of clients) {
  for (const scheme of ["wss", "ws"] as const) {
    testWith(
      client.needs,
      `${client.name} has its conversation over ${scheme} again with the server gone`,
      async () => {
        await using place = await openWorkplace();
        const server = await startServer(client.host);
        const ca = await place.write("server.pem", server.certificatePem);
        const command = await client.command(server.urls[scheme]);
        const recorded = await place.agrepl(["record", "--upstream-ca", ca], command);
        const words = await server.stop();
        equal(recorded.code, 22, recorded.stderr + recorded.stdout);
        equal(recorded.report["steps"], 1, recorded.stderr);
        equal(words.length, 8);
        ok(recorded.stdout.includes(words[0] ?? "-"), recorded.stdout);
        match(recorded.stdout, /4001/);
        const replayed = await place.agrepl(["run", "latest", "--isolation", "proxy"]);
        equal(replayed.stdout, recorded.stdout, replayed.stderr);
        equal(replayed.code, 22, replayed.stderr);
        equal(replayed.report["fidelity"], 1);
        equal(replayed.report["network_calls"], 0);
      },
    );
  }
}
