/** Sharing on the command line: two people, two homes, one bucket. */

import { deepEqual, equal, match } from "node:assert/strict";
import { ScriptRoom } from "../support/script_room.ts";
import { startScriptUpstream } from "../support/script_upstream.ts";
import { S3Server } from "./s3_server.ts";

const key = ["sk-proj-", "Zq8vT1mNb7XcR4kLw9PsYd2FgHj3Ke5A6tUiOoBnM0yQeWrT"].join("");

/** Somebody with a home of their own. */
function person(variables: Record<string, string>): ScriptRoom {
  return new ScriptRoom({ ...variables, AGREPL_ISOLATION: "proxy" });
}

/** Where Deno keeps what it has fetched: by default below the home. */
async function denoFolder(): Promise<string> {
  const { stdout } = await new Deno.Command(Deno.execPath(), { args: ["info", "--json"] }).output();
  return JSON.parse(new TextDecoder().decode(stdout)).denoDir;
}

Deno.test("a colleague pulls a failure, is asked before its command runs, and replays it exactly", async () => {
  await using server = await S3Server.start();
  await using upstream = await startScriptUpstream();
  const { origin: ORIGIN } = upstream;
  using me = person({ ...server.env(), ORIGIN, OPENAI_API_KEY: key });
  using you = person({ ...server.env(), ORIGIN });
  await me.run(
    'agrepl record --name bad -- sh -c \'get -d "{\\"k\\":\\"$OPENAI_API_KEY\\"}" "$ORIGIN/echo" "$ORIGIN/large"\'',
  );
  const shared = await me.run("agrepl share bad");
  equal(shared.code, 0, shared.stderr);
  const id = shared.stdout.trim();
  const pulled = await you.run(`HOME=$PWD DENO_DIR=${await denoFolder()} agrepl pull ${id}`);
  deepEqual([pulled.stdout.trim(), pulled.code], [id, 0], pulled.stderr);
  match((await you.run(`agrepl run ${id}`)).stderr, /This trace was not recorded in this store/);
  match((await you.run(`agrepl run ${id} --yes`)).stderr, /exact, F = 1\.0/);
  equal((await you.run("agrepl verify --all")).code, 0);
  match((await you.run("agrepl list --remote")).stdout, new RegExp(`${id}.*bad`));
  equal((await you.run(`grep -rl ${key} . `)).stdout, "");
});

Deno.test("a link is pulled without credentials and without settings, until it is over", async () => {
  await using server = await S3Server.start();
  await using upstream = await startScriptUpstream();
  using me = person({ ...server.env(), ORIGIN: upstream.origin });
  using you = person({ ORIGIN: upstream.origin });
  await me.run('agrepl record -- get "$ORIGIN/large"');
  const link = (await me.run("agrepl share latest --link")).stdout.trim();
  const pulled = await you.run(`agrepl pull '${link}'`);
  equal(pulled.code, 0, pulled.stderr);
  equal(pulled.stderr.includes("X-Amz"), false, "what opens it is not repeated");
  match((await you.run('agrepl replay latest -- get "$ORIGIN/large"')).stderr, /exact, F = 1\.0/);
  const wrong = await you.run(`agrepl pull '${link.slice(0, -4)}0000'`);
  deepEqual(
    [wrong.code, /it answered 403; a link holds for a limited time/.test(wrong.stderr)],
    [5, true],
    wrong.stderr,
  );
  match((await you.run("agrepl pull http://example.com/x.ndjson")).stderr, /expected an https: link/);
});

Deno.test("share refuses a trace that holds a secret, scrubbed or forced it goes", async () => {
  await using server = await S3Server.start();
  await using upstream = await startScriptUpstream();
  using me = person({ ...server.env(), ORIGIN: upstream.origin });
  await me.run(`agrepl record --no-redact -- get -H "x-api-key: ${key}" "$ORIGIN/hello"`);
  const refused = await me.run("agrepl share latest");
  deepEqual([refused.code, refused.stdout], [1, ""]);
  match(
    refused.stderr,
    /request header x-api-key, byte 0: 56 bytes.*\n[\s\S]*Cannot share .*: it holds what looks like a secret/,
  );
  equal((await me.run("agrepl share latest --force")).code, 0);
  await me.run("agrepl scrub latest");
  match((await me.run("agrepl share latest")).stderr, /holds another trace of it/);
  equal((await me.run("agrepl share latest --replace --json")).code, 0);
  equal((await me.run(`agrepl list --remote --json | grep -c '"digest"'`)).stdout.trim(), "1");
});

Deno.test("a run that was cut off gets its end when it is shared", async () => {
  await using server = await S3Server.start();
  await using upstream = await startScriptUpstream();
  using me = person({ ...server.env(), ORIGIN: upstream.origin });
  await me.run("agrepl record -- sh -c 'get \"$ORIGIN/hello\"; kill -9 $PPID'");
  match((await me.run("agrepl list")).stdout, /interrupted/);
  const { stdout, stderr, code } = await me.run("agrepl share latest");
  equal(code, 0, stderr);
  using you = person(server.env());
  await you.run(`agrepl pull ${stdout.trim()}`);
  match((await you.run("agrepl verify --all")).stdout, /whole, 1 step/);
});

Deno.test("share and pull say what is missing in one sentence each", async () => {
  using me = person({});
  await me.run("agrepl record -- true");
  for (const command of ["share latest", "pull x", "list --remote"]) {
    const { stderr, code } = await me.run(`agrepl ${command}`);
    deepEqual([code, stderr.includes("AGREPL_S3_BUCKET (or AGREPL_R2_BUCKET) is not set")], [2, true], stderr);
  }
  const away =
    "AGREPL_S3_BUCKET=team AGREPL_S3_ENDPOINT=http://127.0.0.1:9 AWS_ACCESS_KEY_ID=a AWS_SECRET_ACCESS_KEY=b";
  const { stderr, code } = await me.run(`${away} agrepl share latest`);
  deepEqual([code, /there was no answer \(ECONNREFUSED\)/.test(stderr)], [4, true], stderr);
});
