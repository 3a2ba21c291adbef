import { runtimeFacts, startSandbox } from "../child/mod.ts";
import {
  type Arrival,
  type CheckedCommand,
  type CheckedLayer,
  type DoctorReport,
  formatDoctorReport,
  hasFindings,
  toDoctorReportJson,
} from "../report/mod.ts";
import { version } from "../step/mod.ts";
import type { CliContext } from "./_context.ts";
import { probeCommand } from "./_doctor_probe.ts";
import { exitCode } from "./_exit.ts";
import { denoCommandOf } from "./_preload_layer.ts";
import { usualPorts } from "./_sandbox_places.ts";

/**
 * Finds out what this machine can do, and where the requests of a command's runtime go.
 *
 * @returns 1 when requests do not reach agrepl, else 0.
 */
export async function doctorRun(context: CliContext, json: boolean): Promise<number> {
  const { childCommand } = context;
  const layers = [await sandboxLayer(context), denoLayer(context), proxyLayer];
  const report: DoctorReport = {
    agrepl: version,
    deno: Deno.version.deno,
    machine: `${Deno.build.os} ${Deno.build.arch}`,
    layers,
    command: childCommand === null ? null : await checkCommand(context, childCommand, layers),
  };
  context.print(
    json ? JSON.stringify(toDoctorReportJson(report), null, 2) : formatDoctorReport(report, context.outPaint),
  );
  return hasFindings(report) ? exitCode.findings : exitCode.same;
}

/** Makes one, since nothing short of that tells whether it can be made. */
async function sandboxLayer({ env, cwd }: CliContext): Promise<CheckedLayer> {
  const box = startSandbox({ env, cwd, sockets: [], locals: [] });
  if ("kind" in box) return { name: "sandbox", available: false, why: box.reason, remedy: box.remedy };
  await using _box = box;
  const refusal = await box.open({ proxyPort: 1, ports: usualPorts, places: [] });
  if (refusal !== null) return { name: "sandbox", available: false, why: refusal.reason, remedy: refusal.remedy };
  const why = "a network that is a loopback, on which every address leads to agrepl";
  return { name: "sandbox", available: true, why, remedy: null };
}

function denoLayer({ childCommand, cwd, env }: CliContext): CheckedLayer {
  const why = 'Deno\'s own permissions, for commands that are "deno run", "deno FILE" or "deno test"';
  if (childCommand === null) return { name: "deno", available: true, why, remedy: null };
  const command = denoCommandOf(childCommand, cwd, env);
  const available = command.kind === "deno";
  return { name: "deno", available, why: available ? why : command.reason, remedy: null };
}

const proxyLayer: CheckedLayer = {
  name: "proxy",
  available: true,
  why: "variables that lead a command to agrepl; it may ignore them",
  remedy: null,
};

async function checkCommand(
  context: CliContext,
  command: readonly string[],
  layers: readonly CheckedLayer[],
): Promise<CheckedCommand> {
  const runtime = runtimeFacts(command);
  const layer = layers.find(({ available }) => available)?.name ?? "proxy";
  const probe = runtime?.probe ?? null;
  const { http, https } = probe === null
    ? { http: "untried", https: "untried" } as const
    : await probeCommand(context, command, probe);
  const boxed = layers.some(({ name, available }) => name === "sandbox" && available);
  const advice = [
    ...(runtime === null ? [unknown] : arrivalAdvice(runtime, http, https)),
    ...(boxed && http !== "arrived" ? [sandboxAdvice] : []),
  ];
  return { command, runtime: runtime?.name ?? null, layer, http, https, advice };
}

const unknown = "agrepl sets HTTP_PROXY, HTTPS_PROXY, SSL_CERT_FILE, NODE_EXTRA_CA_CERTS and their like; " +
  "a recording tells whether they are read";
const sandboxAdvice = "In a sandbox its requests reach agrepl whatever it reads: agrepl record --sandbox; " +
  "agrepl replay takes one by itself";

function arrivalAdvice(
  { unreached, trustVariable }: { readonly unreached: string; readonly trustVariable: string },
  http: Arrival,
  https: Arrival,
): string[] {
  const distrusted = https === "distrusted" || (http === "arrived" && https === "nowhere");
  return [
    `${unreached}`,
    ...(distrusted ? [`It is led to agrepl's certificate by ${trustVariable}; something seems to override that`] : []),
  ];
}
