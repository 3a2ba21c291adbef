/**
 * Replays the whole of a Deno program inside its own process: `deno run --deny-net --preload jsr:@agrepl/core/preload`.
 *
 * Takes its order from `AGREPL_PRELOAD`, which the command line sets; writes how it went to the file that is named
 * there, when the program ends. Importing it is all there is to it.
 *
 * @module
 */
import { formatMiss, plainPaint } from "../report/mod.ts";
import { storeLayout, TraceFile } from "../store/mod.ts";
import { type Host, processHost } from "./host.ts";
import { makeReplayer } from "./_make_replayer.ts";
import { formatPreloadOutcome, parsePreloadOrder, preloadVariable } from "./preload_words.ts";
import { captureProgram, Scope } from "./_scope.ts";

const order = parsePreloadOrder(Deno.env.get(preloadVariable));
const { trace: path, store, report, variables, offline = false, ...options } = order;
if (offline) refuseNetwork();
const host = variables === undefined ? processHost : hostOf(variables);
const trace = new TraceFile(path, store === undefined ? null : storeLayout(store), { decode: "late" });
const replayer = await makeReplayer(trace, { options, host }, {
  onMiss: (miss) => tell(`agrepl: ${formatMiss(miss, plainPaint)}`),
});
writeOutcome(); // a program that is killed leaves at least this
// A program ends with the first, or dies with one of the others; who else listens may save it.
for (const end of ["unload", "error", "unhandledrejection"]) globalThis.addEventListener(end, writeOutcome);
captureProgram(new Scope(replayer));

function writeOutcome(): void {
  Deno.writeTextFileSync(report, formatPreloadOutcome(replayer.outcome()), { mode: 0o600 });
}

/** A denial of some hosts only, or a program that decides in the place of flags, leaves a way out. */
function refuseNetwork(): void {
  const { state } = Deno.permissions.querySync({ name: "net" });
  if (state === "denied") return;
  throw new TypeError(`Cannot replay this program: its network permission is "${state}", expected --deny-net`);
}

/** This process, with an environment that was told. */
function hostOf(variables: Readonly<Record<string, string>>): Host {
  return { ...processHost, variable: (name) => variables[name] ?? "", variables: () => variables };
}

function tell(text: string): void {
  Deno.stderr.writeSync(new TextEncoder().encode(`${text}\n`));
}
