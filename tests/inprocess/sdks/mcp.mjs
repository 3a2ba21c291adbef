// deno-lint-ignore-file no-import-prefix -- the SDK of this one program
import { Client } from "npm:@modelcontextprotocol/sdk@1.32.2/client/index.js";
import { StreamableHTTPClientTransport } from "npm:@modelcontextprotocol/sdk@1.32.2/client/streamableHttp.js";
import { run } from "./run.mjs";

await run(async (url) => {
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}mcp`)));
  const { tools } = await client.listTools();
  const { content } = await client.callTool({ name: "add", arguments: { a: 1, b: 2 } });
  await client.close();
  return { tools: tools.map(({ name }) => name), content };
});
