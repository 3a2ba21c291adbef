/** Upstreams that fail, and a proxy on the way, seen by real curl behind real agrepl: recorded, then replayed the same. */
import { deepEqual, equal, match, ok } from "node:assert/strict";
import { createAuthority } from "../../lib/proxy/mod.ts";
import { testWith } from "../support/machine_test_case.ts";
import { startProxy } from "../support/raw_proxy.ts";
import type { RawSocket } from "../support/raw_socket.ts";
import { startSecure, worldTrust } from "../support/raw_tls.ts";
import { answering, plain, startUpstream } from "../support/raw_upstream.ts";
import { ScriptRoom } from "../support/script_room.ts";
import { assertOfSchema } from "../support/trace_schema.ts";

type Breaking = (connection: RawSocket) => Promise<void> | void;

const soon = () => new Promise((resolve) => setTimeout(resolve, 30)); // a reset overtakes what was sent just before

/** Sends a head and a part of a body, then breaks off. */
function partOf(head: string, end: (connection: RawSocket) => void): Breaking {
  return async (connection) => {
    connection.send(`HTTP/1.1 200 OK\r\n${head}`);
    await soon();
    end(connection);
  };
}

/** What an upstream does to a request, by path. */
const breaks: Record<string, Breaking> = {
  "/fin-before": (connection) => void connection.socket.end(),
  "/rst-before": (connection) => void connection.socket.resetAndDestroy(),
  "/rst-in-head": partOf("Content-Le", ({ socket }) => socket.resetAndDestroy()),
  "/short": partOf("Content-Length: 10\r\n\r\nshort", ({ socket }) => socket.end()),
  "/cut-chunk": partOf("Transfer-Encoding: chunked\r\n\r\n5\r\nshort\r\n5\r\nsh", ({ socket }) => socket.end()),
  "/rst-in-body": partOf("Content-Length: 10\r\n\r\nshort", ({ socket }) => socket.resetAndDestroy()),
};

async function startBreaking() {
  return await startUpstream(async (connection) => {
    const [, path = ""] = (await connection.request()).split(" ");
    await breaks[path]?.(connection);
  });
}

/** A script that asks for each URL and prints how it went, as `status/exit bytes`. */
function curls(urls: readonly string[]): string {
  const write = "-w ' %{http_code}/%{exitcode} %{size_download}\\n'";
  return urls.map((url) => `curl -s --max-time 20 ${write} '${url}'`).join("\n") + "\ntrue\n";
}

interface Tried {
  readonly lines: readonly string[];
  /** The run as `inspect --json` gives it. */
  readonly steps: readonly { readonly error?: { phase: string; code: string }; readonly response?: { end: string } }[];
  readonly stored: string;
  readonly stderr: string;
}

/** Records a script and runs it again; wants the same output, F = 1, and a trace of the schema. */
async function bothRuns(script: string, variables: Record<string, string> = {}): Promise<Tried> {
  using room = new ScriptRoom(variables);
  room.write("world.pem", worldTrust);
  room.write("script.sh", script);
  const recorded = await room.run("agrepl record --upstream-ca world.pem -- sh script.sh");
  const inspected = await room.run("agrepl inspect latest --json");
  const traces = `${room.folder}/.agrepl/traces`;
  const paths = [...Deno.readDirSync(traces)].map(({ name }) => `${traces}/${name}`);
  paths.forEach(assertOfSchema);
  const replayed = await room.run("agrepl run latest");
  match(replayed.stderr, /exact, F = 1\.0/);
  deepEqual([replayed.stdout, replayed.code], [recorded.stdout, 0]);
  const { stdout } = await room.run("cat .agrepl/*/*");
  const { steps } = JSON.parse(inspected.stdout);
  return { lines: recorded.stdout.trimEnd().split("\n"), steps, stored: stdout, stderr: recorded.stderr };
}

/** What became of each step: `phase code`, or how its stream ended. */
function endings({ steps }: Tried): (string | undefined)[] {
  return steps.map(({ error, response }) => error === undefined ? response?.end : `${error.phase} ${error.code}`);
}

testWith(["curl"], "curl meets the same breaks of an upstream when it records and when it replays", async () => {
  await using upstream = await startBreaking();
  const paths = Object.keys(breaks);
  const tried = await bothRuns(curls(paths.map((path) => `http://${upstream.host}${path}`)));
  const reset = "upstream_reset";
  deepEqual(endings(tried), ["read ECONNRESET", "read ECONNRESET", "read ECONNRESET", reset, reset, reset]);
  const outcomes = tried.lines.filter((line) => / \d+\/\d+ \d+$/.test(line));
  for (const line of outcomes.slice(0, 3)) match(line, /^ 502\/0 \d+$/);
  // curl says 18 for a body that ends too soon and 56 for one that is reset
  deepEqual(outcomes.slice(3).map((line) => line.replace(/56 /, "18 ")), breaksSeen);
});

/** What curl prints for the last three of {@link breaks}. */
const breaksSeen = ["short 200/18 5", "shortsh 200/18 7", "short 200/18 5"];

/** An upstream for each certificate that nobody should take, with what the step is to say. */
function startDistrusted() {
  const old = createAuthority(new Date(Date.now() - 800 * 24 * 60 * 60 * 1000));
  const stranger = createAuthority();
  const serve = answering(() => plain("secret"));
  const under = ({ leafFor }: typeof old) => {
    const { keyPem, certPem } = leafFor("localhost");
    return startUpstream(serve, { key: keyPem, cert: certPem });
  };
  return Promise.all([under(old), startSecure(serve, "other.test"), under(stranger)]);
}

testWith(["curl"], "curl is told why agrepl trusts no certificate, refused port or impossible name", async () => {
  const upstreams = await startDistrusted();
  await using _all = {
    [Symbol.asyncDispose]: () => Promise.all(upstreams.map((one) => one[Symbol.asyncDispose]())).then(() => {}),
  };
  const gone = await startSecure(() => {});
  await gone[Symbol.asyncDispose]();
  // A label of more than 63 letters is refused by the system itself: nobody is asked for it.
  const impossible = `http://${"a".repeat(64)}.test/`;
  const urls = [...[...upstreams, gone].map(({ port }) => `https://localhost:${port}/`), impossible];
  const tried = await bothRuns(curls(urls));
  const [expired, name, unknown, refused, dns = ""] = endings(tried);
  match(expired ?? "", /^tls /);
  deepEqual([name, unknown], ["tls ERR_TLS_CERT_ALTNAME_INVALID", "tls UNABLE_TO_VERIFY_LEAF_SIGNATURE"]);
  equal(refused, "connect ECONNREFUSED");
  match(dns, /^dns /);
  equal(tried.lines.filter((line) => / 502\/0 \d+$/.test(line)).length, urls.length);
});

testWith(
  ["curl"],
  "agrepl goes through the proxy of its environment, and only the proxy hears the password",
  async () => {
    await using plainOrigin = await startUpstream(answering(() => plain("plain\n")));
    await using origin = await startSecure(answering(() => plain("secure\n")));
    await using proxy = await startProxy({ credentials: "me:hidden42" });
    const urls = [`http://${plainOrigin.host}/`, `https://localhost:${origin.port}/`];
    const script = `${
      curls(urls)
    }env | grep -ci 'hidden42'; env | grep -ciE '^(https?|all)_proxy=http://127.0.0.1:[0-9]+$'\n`;
    const variable = `http://me:hidden42@${proxy.host}`;
    const tried = await bothRuns(`${script}true\n`, {
      HTTPS_PROXY: variable,
      http_proxy: variable,
      DENO_NO_UPDATE_CHECK: "1",
      NODE_USE_ENV_PROXY: "1", // as an agrepl in an agrepl has it: the runtime must not go to the proxy by itself
    });
    deepEqual(tried.lines, ["plain", " 200/0 6", "secure", " 200/0 7", "0", "6"]);
    deepEqual(proxy.heads.map((head) => head.split(" ").slice(0, 2).join(" ")), [
      `GET http://${plainOrigin.host}/`,
      `CONNECT localhost:${origin.port}`,
    ]);
    ok(!/hidden42|bWU6/.test(tried.stored + tried.stderr));
  },
);

testWith(
  ["curl"],
  "a proxy without its credentials fails each step by name, and one of another kind is a mistake",
  async () => {
    await using proxy = await startProxy({ credentials: "me:hidden42" });
    const urls = ["http://127.0.0.1:9/", "https://127.0.0.1:9/"];
    const tried = await bothRuns(curls(urls), { ALL_PROXY: `http://me:wrong42@${proxy.host}` });
    deepEqual(endings(tried), ["connect ERR_PROXY_AUTH", "connect ERR_PROXY_AUTH"]);
    match(tried.stored, /answered 407: it does not take the credentials/);
    ok(!/wrong42/.test(tried.stored + tried.lines.join()));
    using room = new ScriptRoom({ ALL_PROXY: "socks5://me:wrong42@127.0.0.1:1" });
    const { code, stderr } = await room.run("agrepl record -- true");
    deepEqual([code, /ALL_PROXY/.test(stderr), /wrong42/.test(stderr)], [2, true, false]);
  },
);

testWith(
  ["curl"],
  "a replay with --fallback goes through the proxy as well, and not to what NO_PROXY names",
  async () => {
    await using origin = await startUpstream(answering((request) => plain(`${/^x-forwarded/im.test(request)}`)));
    await using proxy = await startProxy();
    const replay = `agrepl replay latest --fallback -- curl -s http://${origin.host}/`;
    using room = new ScriptRoom({ HTTP_PROXY: proxy.host });
    await room.run("agrepl record -- true");
    equal((await room.run(replay)).stdout, "true");
    equal((await room.run(`no_proxy=${origin.host} ${replay}`)).stdout, "false");
  },
);
