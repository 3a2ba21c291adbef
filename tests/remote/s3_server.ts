/** A real S3 server on loopback: Versity's gateway over a folder, of a pinned version, compiled once. */

import { join } from "node:path";
import { build, fromCache } from "../compat/build_cache.ts";
import { RemoteBucket, type RemoteSettings } from "../../lib/store/mod.ts";

const version = "v1.8.0";
const credentials = { accessKeyId: "agrepl-test", secretAccessKey: "agrepl-test-secret" };

async function gatewayProgram(): Promise<string> {
  const source = `github.com/versity/versitygw/cmd/versitygw@${version}`;
  const folder = await fromCache({
    name: "versitygw",
    inputs: [source],
    make: (folder) => build(["go", "install", source], { env: { GOBIN: folder, GOFLAGS: "-trimpath" } }),
  });
  return join(folder, "versitygw");
}

/** A server with one empty bucket, `team`. */
export class S3Server implements AsyncDisposable {
  readonly endpoint: string;
  readonly bucketFolder: string;
  readonly #folder: string;
  readonly #process: Deno.ChildProcess;

  private constructor(folder: string, port: number, program: string) {
    this.#folder = folder;
    this.bucketFolder = join(folder, "data", "team");
    this.endpoint = `http://127.0.0.1:${port}`;
    Deno.mkdirSync(this.bucketFolder, { recursive: true });
    Deno.mkdirSync(join(folder, "iam"));
    Deno.mkdirSync(join(folder, "sidecar"));
    const { accessKeyId, secretAccessKey } = credentials;
    this.#process = new Deno.Command(program, {
      // Attributes go to a folder of their own: not every temporary folder knows extended attributes.
      args: [
        ...["--port", `127.0.0.1:${port}`, "--iam-dir", join(folder, "iam"), "--quiet"],
        ...["posix", "--sidecar", join(folder, "sidecar"), join(folder, "data")],
      ],
      env: { ROOT_ACCESS_KEY: accessKeyId, ROOT_SECRET_KEY: secretAccessKey },
      stdout: "null",
      stderr: "null",
    }).spawn();
  }

  /** Starts one and waits until it answers. */
  static async start(): Promise<S3Server> {
    const program = await gatewayProgram();
    const server = new S3Server(Deno.makeTempDirSync({ prefix: "s3-" }), freePort(), program);
    for (let attempt = 0; attempt < 200; attempt++) {
      const answer = await fetch(server.endpoint).catch(() => null);
      await answer?.body?.cancel();
      if (answer !== null) return server;
      await new Promise((resolve) => setTimeout(resolve, 50)); // until it listens: it says so nowhere else
    }
    throw new TypeError("Cannot start the S3 server: it does not answer, expected it to within ten seconds");
  }

  /** The variables by which agrepl finds it. */
  env(endpoint = this.endpoint): Record<string, string> {
    return {
      AGREPL_S3_ENDPOINT: endpoint,
      AGREPL_S3_BUCKET: "team",
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    };
  }

  /** Opens its bucket. */
  async open(changes: Partial<RemoteSettings> = {}): Promise<RemoteBucket> {
    const { endpoint } = this;
    return await RemoteBucket.open({
      endpoint,
      bucket: "team",
      prefix: "",
      region: "us-east-1",
      credentials,
      ...changes,
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#process.kill("SIGTERM");
    await this.#process.status;
    Deno.removeSync(this.#folder, { recursive: true });
  }
}

function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}
