import { CommandError } from "../child/mod.ts";
import type { Engine, LiveRequest, ResponseSink } from "../engine/mod.ts";
import { createAuthority, Proxy } from "../proxy/mod.ts";
import type { Arrival } from "../report/mod.ts";
import type { CliContext } from "./_context.ts";
import { prepareChild } from "./_run_parts.ts";

/** What a probe found, by scheme. */
export interface Probed {
  readonly http: Arrival;
  readonly https: Arrival;
}

/** A runtime that has not asked by then does not. */
const patienceMs = 15_000;

/**
 * Has a command's runtime ask for a page behind the proxy, at a place on loopback where it is seen when it goes there by
 * itself: nothing leaves the machine either way.
 *
 * @param command What the variables are made for.
 * @param probe Makes the command that asks.
 */
export async function probeCommand(
  context: CliContext,
  command: readonly string[],
  probe: (url: string) => string[],
): Promise<Probed> {
  const authority = createAuthority();
  const engine = new Answerer();
  let distrusted = false;
  await using proxy = await Proxy.listen({
    engine,
    authority,
    drop: [],
    onNotice: ({ kind }) => distrusted ||= kind === "tls",
  });
  await using trap = new Trap();
  const parts = { authority, proxyPort: proxy.port, trust: [], bypass: [], sandboxed: false };
  const { env, files } = prepareChild(context, { command, ...parts });
  using _files = files;
  const ask = async (scheme: string): Promise<Arrival> => {
    const [asked, passed] = [engine.asked, trap.connections];
    distrusted = false;
    await runQuietly(probe(`${scheme}://127.0.0.1:${trap.port}/`), env);
    if (engine.asked > asked) return "arrived";
    if (distrusted) return "distrusted";
    return trap.connections > passed ? "past" : "nowhere";
  };
  return { http: await ask("http"), https: await ask("https") };
}

/** Answers everything with an empty page. */
class Answerer implements Engine {
  #asked = 0;

  /** How many requests there were. */
  get asked(): number {
    return this.#asked;
  }

  protocolOf(): "http/1.1" {
    return "http/1.1";
  }

  exchange(_request: LiveRequest, sink: ResponseSink): Promise<void> {
    this.#asked++;
    sink.sendHead({ status: 200, statusText: "OK", httpVersion: "1.1", headers: [["content-length", "0"]] });
    sink.end([]);
    return Promise.resolve();
  }
}

/** Where requests arrive that went past the proxy. */
class Trap implements AsyncDisposable {
  readonly #listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  readonly #listening: Promise<void> = this.#listen();
  #connections = 0;

  get port(): number {
    return this.#listener.addr.port;
  }

  get connections(): number {
    return this.#connections;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#listener.close();
    await this.#listening;
  }

  async #listen(): Promise<void> {
    for await (const connection of this.#listener) {
      this.#connections++;
      connection.close();
    }
  }
}

async function runQuietly(
  [name = "", ...args]: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<void> {
  const signal = AbortSignal.timeout(patienceMs);
  try {
    await new Deno.Command(name, { args, env: { ...env }, stdin: "null", stdout: "null", stderr: "null", signal })
      .output();
  } catch (error) {
    if (signal.aborted) return; // it was told to end
    throw new CommandError(name, error instanceof Deno.errors.NotFound ? 127 : 126, error);
  }
}
