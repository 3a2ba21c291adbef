import { equal, throws } from "node:assert/strict";
import { CassetteNotFoundError } from "./cassette_not_found_error.ts";
import type { CassetteOptions } from "./cassette_options.ts";
import type { Host } from "./host.ts";
import { type CassetteMode, chooseMode } from "./mode.ts";

type Variables = Readonly<Record<string, string>> | null;

/** @param variables `null` for an environment that may not be read. */
function host(variables: Variables, refused: readonly string[] = []): Host {
  return {
    variable: (name) => variables === null ? null : variables[name] ?? "",
    variables: () => variables,
    may: ({ name }) => !refused.includes(name),
  };
}

const there = new URL(import.meta.url).pathname;
const absent = `${there}.none`;

interface Case {
  readonly wanted?: CassetteOptions["mode"];
  readonly path: string;
  readonly env: Variables;
  readonly refused?: readonly string[];
  /** The mode, or why nothing is recorded. */
  readonly gives: CassetteMode | RegExp;
}

const cases: Readonly<Record<string, Case>> = {
  "a cassette is there": { path: there, env: {}, gives: "replay" },
  "none is there": { path: absent, env: {}, gives: "record" },
  "none is there in CI": { path: absent, env: { CI: "true" }, gives: /CI is set/ },
  "CI is off": { path: absent, env: { CI: "false" }, gives: "record" },
  "the environment cannot be read": { path: absent, env: null, gives: /environment cannot be read/ },
  "a cassette is there and the environment cannot be read": { path: there, env: null, gives: "replay" },
  "the network is refused": { path: absent, env: {}, refused: ["net"], gives: /network permission/ },
  "writing is refused": { path: absent, env: {}, refused: ["write"], gives: /permission to write/ },
  "reading is refused": { path: there, env: { CI: "1" }, refused: ["read"], gives: /may not be read/ },
  "record is wanted": { wanted: "record", path: there, env: {}, gives: "record" },
  "record is wanted in CI": { wanted: "record", path: there, env: { CI: "1" }, gives: "replay" },
  "record is wanted and the network not granted yet": {
    wanted: "record",
    path: absent,
    env: {},
    refused: ["net"],
    gives: "record",
  },
  "replay is wanted": { wanted: "replay", path: absent, env: {}, gives: /the mode is "replay"/ },
  "fallback is wanted": { wanted: "fallback", path: there, env: {}, gives: "fallback" },
  "AGREPL_MODE says record": { wanted: "replay", path: there, env: { AGREPL_MODE: "record" }, gives: "record" },
  "AGREPL_MODE says replay": { wanted: "record", path: there, env: { AGREPL_MODE: "replay" }, gives: "replay" },
};

for (const [when, { wanted, path, env, refused, gives }] of Object.entries(cases)) {
  Deno.test(`chooseMode() gives ${gives} when ${when}`, () => {
    const choose = () => chooseMode(wanted, path, host(env, refused));
    if (typeof gives === "string") return equal(choose(), gives);
    throws(choose, (error) => error instanceof CassetteNotFoundError && gives.test(error.message));
  });
}

Deno.test("chooseMode() refuses an AGREPL_MODE that is none", () => {
  throws(() => chooseMode("auto", there, host({ AGREPL_MODE: "both" })), /AGREPL_MODE "both"/);
});

Deno.test("CassetteNotFoundError says which command records", () => {
  throws(() => chooseMode("auto", absent, host({ CI: "1" })), /AGREPL_MODE=record deno test/);
});
