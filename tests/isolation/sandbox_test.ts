/** What a child in a sandbox has and has not, by the whole command line. */
import { deepEqual, equal, match } from "node:assert/strict";
import { testWith } from "../support/machine_test_case.ts";
import { ScriptRoom } from "../support/script_room.ts";
import { startScriptUpstream } from "../support/script_upstream.ts";
import { sandboxNeeds } from "./needs.ts";

const hello = Deno.readTextFileSync(new URL("../cli/traces/hello.ndjson", import.meta.url));
const replay = "agrepl replay hello.ndjson --allow-unused --isolation sandbox";

/** A folder with a trace in it, for one line of sh. */
async function inRoom(line: string, files: Readonly<Record<string, string>> = {}) {
  using room = new ScriptRoom();
  room.write("hello.ndjson", hello);
  for (const [path, text] of Object.entries(files)) room.write(path, text);
  const result = await room.run(line);
  return { ...result, stdout: result.stdout.replaceAll(room.folder, "<DIR>") };
}

const sandboxTest = (name: string, fn: () => Promise<void>) => testWith(sandboxNeeds, name, fn);

sandboxTest("A sandboxed child has its user, folder, files, stdin and exit code", async () => {
  const child = `sh -c 'id -u; id -g; pwd; cat; echo text >file; exit 7'`;
  const { stdout, code } = await inRoom(
    `echo in | ${replay} -- ${child}; c=$?; ls -n file | tr -s ' ' | cut -d' ' -f3; exit $c`,
  );
  deepEqual([stdout, code], [`${Deno.uid()}\n${Deno.gid()}\n<DIR>\nin\n${Deno.uid()}\n`, 7]);
});

sandboxTest("A sandboxed child has no right over the network that it is in", async () => {
  const { stdout } = await inRoom(`${replay} -- sh -c 'ip link set lo down || echo refused' 2>/dev/null`);
  equal(stdout, "refused\n");
});

sandboxTest("A sandboxed child inherits no socket of agrepl's", async () => {
  const count = "ls -l /proc/self/fd | grep -c socket:";
  const own = await inRoom(count);
  equal((await inRoom(`${replay} -- sh -c '${count}' 2>/dev/null`)).stdout, own.stdout);
});

sandboxTest("A sandboxed child gets the signals that agrepl gets", async () => {
  const trap = 'trap "echo ended; exit 9" TERM; echo >started; while :; do sleep 0.05; done';
  const wait = "while [ ! -e started ]; do sleep 0.05; done";
  const { stdout, code } = await inRoom(`${replay} -- sh trap.sh & ${wait}; kill -TERM $!; wait $!`, {
    "trap.sh": trap,
  });
  deepEqual([stdout, code], ["ended\n", 9]);
});

sandboxTest(
  "A sandboxed child that a signal killed is told as such, and a command that is not there as a shell does",
  async () => {
    equal((await inRoom(`${replay} -- sh -c 'kill -KILL $$'`)).code, 137);
    equal((await inRoom(`${replay} -- no-such-command`)).code, 127);
  },
);

sandboxTest("A sandboxed child reaches services of its own on loopback", async () => {
  const serve = "python3 -m http.server --bind 127.0.0.1 8765 2>/dev/null & ";
  const ask = "curl -sS --retry 30 --retry-connrefused --retry-delay 1 http://127.0.0.1:8765/own.txt; kill $!";
  const { stdout } = await inRoom(`${replay} -- sh -c '${serve} sleep 0.5; ${ask}'`, { "own.txt": "its own\n" });
  equal(stdout, "its own\n");
});

sandboxTest("A sandboxed replay answers a client that knows no proxy, by name and over TLS", async () => {
  const past = "curl -sS --noproxy '*'";
  const { stdout, stderr } = await inRoom(
    `${replay} -- sh -c "${past} http://api.example.com/hello; ${past} -o /dev/null -w '%{http_code}' https://other.test/"`,
  );
  equal(stdout, "hello\n502");
  match(stderr, /miss GET https:\/\/other\.test[:\d]*\/\n/);
});

sandboxTest("A sandboxed replay leads a port to agrepl that --port names", async () => {
  const ask = "curl -sS -o /dev/null -w '%{http_code}' --noproxy '*' http://192.0.2.7:8123/";
  equal((await inRoom(`${replay} -- ${ask} 2>/dev/null`)).stdout, "000");
  equal((await inRoom(`${replay} --port 8123 -- ${ask} 2>/dev/null`)).stdout, "502");
});

/** The keys of all steps that a room's store holds, sorted. */
const keysOfAll = `grep -ho '"key":"[0-9a-f]*","timestamp' .agrepl/traces/*.ndjson | sort`;

sandboxTest("record --sandbox gives the keys that proxy variables give, for a client that knows none", async () => {
  await using upstream = await startScriptUpstream();
  using room = new ScriptRoom({ ORIGIN: upstream.origin });
  const ask = `sh -c 'curl -sS "$0" "$ORIGIN/hello"; curl -sS "$0" -d "{}" "$ORIGIN/echo"'`;
  await room.run(`agrepl record -- ${ask} --compressed`);
  const byVariables = await room.run(keysOfAll);
  await room.run(`rm -r .agrepl; agrepl record --sandbox -- env -u http_proxy ${ask} --compressed`);
  const bySandbox = await room.run(keysOfAll);
  equal(byVariables.stdout.split("\n").length, 3);
  equal(bySandbox.stdout, byVariables.stdout);
});

sandboxTest("What a sandbox recorded replays in a sandbox", async () => {
  await using upstream = await startScriptUpstream();
  using room = new ScriptRoom({ ORIGIN: upstream.origin });
  await room.run(`agrepl record --sandbox -- curl -sS --noproxy '*' "$ORIGIN/count"`);
  const { stdout, stderr, code } = await room.run("agrepl run latest --isolation sandbox");
  deepEqual([stdout, code, upstream.requests], ["1\n", 0, 1]);
  match(stderr, /exact, F = 1\.0\n[^]*isolation {2}sandbox: /);
});

sandboxTest("A sandbox is gone, with its files, when agrepl is killed", async () => {
  const kill = "while [ ! -e started ]; do sleep 0.05; done; kill -KILL $!; wait $!";
  const left =
    "for n in 1 2 3 4 5 6 7 8 9; do ls -d tmp/agrepl-box-* >/dev/null 2>&1 || break; sleep 0.2; done; ls tmp | grep box";
  const line =
    `mkdir tmp; export TMPDIR=$PWD/tmp; ${replay} -- sh -c 'echo >started; sleep 3' 2>/dev/null & ${kill}; ${left}`;
  equal((await inRoom(line)).stdout, "");
});

sandboxTest("A sandboxed replay lets a service of this machine in that --allow-local names, and no other", async () => {
  await using upstream = await startScriptUpstream();
  const port = new URL(upstream.origin).port;
  const ask = `curl -sS --noproxy '*' ${upstream.origin}/hello http://localhost:${port}/hello`;
  equal((await inRoom(`${replay} -- ${ask} 2>/dev/null`)).stdout, "");
  equal((await inRoom(`${replay} --allow-local ${port} -- ${ask} 2>/dev/null`)).stdout, "hello\nhello\n");
});

sandboxTest("record --sandbox tells of a port that did not lead to agrepl, where no step came of it", async () => {
  const { stderr } = await inRoom("agrepl record --sandbox -- curl -sS --noproxy '*' http://api.example.com:8123/");
  match(stderr, /Refused in the sandbox: 1 TCP connection to ports where nothing listens; --port PORT/);
  match(stderr, /No step was recorded: .*on a port that does not lead to agrepl/);
});
