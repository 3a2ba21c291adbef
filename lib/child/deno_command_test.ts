import { deepEqual, equal, match } from "node:assert/strict";
import { type DenoCommand, formatDenoCommand, readDenoCommand } from "./deno_command.ts";

const files: readonly string[] = ["main.ts", "lint", "deno.json"];

function read(command: string, env: Record<string, string> = {}) {
  const words = command.split(" ");
  return readDenoCommand(words, {
    isThisDeno: (word) => word === "/opt/d",
    isFile: (path) => files.includes(path),
    env,
  });
}

const preload = { module: "file:///p.ts", env: ["V"], read: ["/a,b", "/c"], write: ["/r"] };
const front = "--deny-net --preload file:///p.ts";
const grants = "--allow-env=V --allow-read=/a,,b,/c --allow-write=/r";

const rewritten: readonly (readonly [command: string, expected: string])[] = [
  ["deno run main.ts -A", `deno run ${front} ${grants} main.ts -A`],
  ["deno run -A main.ts", `deno run ${front} -A main.ts`],
  ["deno run -qA main.ts", `deno run ${front} -qA main.ts`],
  ["deno run --allow-all main.ts", `deno run ${front} --allow-all main.ts`],
  ["deno run --allow-env -R main.ts", `deno run ${front} --allow-write=/r --allow-env -R main.ts`],
  ["deno run -R=/x main.ts", `deno run ${front} ${grants} -R=/x main.ts`],
  ["deno run --deny-net=a.test -N main.ts", `deno run ${front} ${grants} -N main.ts`],
  ["deno run main.ts --deny-net=a.test", `deno run ${front} ${grants} main.ts --deny-net=a.test`],
  ["deno run -c deno.json main.ts", `deno run ${front} ${grants} -c deno.json main.ts`],
  ["deno run jsr:@a/b", `deno run ${front} ${grants} jsr:@a/b`],
  ["deno -q run -A main.ts", `deno -q run ${front} -A main.ts`],
  ["deno -A main.ts", `deno ${front} -A main.ts`],
  ["deno test", `deno test ${front} ${grants}`],
  ["deno test a_test.ts --deny-net=a.test -A", `deno test ${front} a_test.ts -A`],
  ["deno test -A -- --deny-net=x", `deno test ${front} -A -- --deny-net=x`],
  ["timeout 10 env A=b /usr/bin/deno run -A main.ts", `timeout 10 env A=b /usr/bin/deno run ${front} -A main.ts`],
  ["/opt/d run -A main.ts", `/opt/d run ${front} -A main.ts`],
];

for (const [command, expected] of rewritten) {
  Deno.test(`formatDenoCommand() takes the network from "${command}"`, () => {
    const parts = read(command);
    equal(parts.kind, "deno", JSON.stringify(parts));
    equal(formatDenoCommand(parts as DenoCommand, preload).join(" "), expected);
  });
}

const refused: readonly (readonly [command: string, reason: RegExp])[] = [
  ["python agent.py", /"python" is not Deno/],
  ["npx deno run main.ts", /"npx" is not Deno/],
  ["deno", /names no file/],
  ["deno run", /names no file/],
  ["deno serve main.ts", /"deno serve" is neither/],
  ["deno task dev", /"deno task" is neither/],
  ["deno lint", /"deno lint" is neither/],
  ["deno run dev", /there is no file "dev"/],
  ["deno run npm:build", /there is no file "npm:build"/],
  ["deno run --seed main.ts dev", /there is no file "dev"/],
  ["deno run --lock deno.json dev", /there is no file "dev"/],
  ["env DENO_PERMISSION_BROKER_PATH=/b deno run -A main.ts", /DENO_PERMISSION_BROKER_PATH lets another program decide/],
  ["deno run -P main.ts", /-P takes Deno's permissions from its configuration/],
  ["deno test --permission-set=ci", /--permission-set=ci takes/],
  ["deno run -A --ignore-env main.ts", /take env permission from agrepl's preload/],
  ["deno run --allow-read --deny-read=/etc main.ts", /take read permission/],
];

for (const [command, reason] of refused) {
  Deno.test(`readDenoCommand() says why "${command}" cannot be held`, () => {
    const parts = read(command);
    match(parts.kind === "refusal" ? parts.reason : "", reason);
  });
}

Deno.test("readDenoCommand() refuses Deno where a broker decides on its permissions", () => {
  deepEqual(read("deno run -A main.ts", { DENO_PERMISSION_BROKER_PATH: "/b" }), {
    kind: "refusal",
    reason: "DENO_PERMISSION_BROKER_PATH lets another program decide on Deno's permissions",
  });
});
