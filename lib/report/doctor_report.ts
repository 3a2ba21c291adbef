/**
 * What a machine can do for agrepl, and whether a command's traffic reaches it.
 *
 * @module
 */
import type { Paint } from "./paint.ts";
import { formatCommand, formatTable, printableLine } from "./text.ts";

/** One layer of isolation. */
export interface CheckedLayer {
  readonly name: string;
  readonly available: boolean;
  /** What it is, or why it is not there; a clause. */
  readonly why: string;
  /** What would make it available; `null` when nothing would, or nothing has to. */
  readonly remedy: string | null;
}

/**
 * Where requests of a scheme went that a probe sent: to agrepl, past it, to agrepl whose certificate was not trusted, or
 * nowhere; `untried` where no probe is known.
 */
export type Arrival = "arrived" | "past" | "distrusted" | "nowhere" | "untried";

/** What was found out about one command. */
export interface CheckedCommand {
  readonly command: readonly string[];
  /** `null` for a program that agrepl does not know. */
  readonly runtime: string | null;
  /** The layer that a replay of it takes. */
  readonly layer: string;
  readonly http: Arrival;
  readonly https: Arrival;
  /** What to do, or to look at: sentences. */
  readonly advice: readonly string[];
}

/** All that was found out. */
export interface DoctorReport {
  readonly agrepl: string;
  readonly deno: string;
  /** Operating system and processor. */
  readonly machine: string;
  readonly layers: readonly CheckedLayer[];
  /** `null` where none was given. */
  readonly command: CheckedCommand | null;
}

const arrivals: Readonly<Record<Arrival, string>> = {
  arrived: "reaches agrepl",
  past: "goes past agrepl",
  distrusted: "reaches agrepl, whose certificate it does not trust",
  nowhere: "neither reached agrepl nor went past it",
  untried: "not tried: agrepl knows no way to make this program ask",
};

/**
 * Tells whether something of a command's does not reach agrepl.
 *
 * @param report What was found out.
 * @returns True when a probe went elsewhere.
 */
export function hasFindings({ command }: DoctorReport): boolean {
  if (command === null) return false;
  return [command.http, command.https].some((arrival) => arrival !== "arrived" && arrival !== "untried");
}

/**
 * Formats the report for a terminal.
 *
 * @param report What was found out.
 * @param paint Emphasis.
 * @returns Lines without a trailing newline.
 */
export function formatDoctorReport(report: DoctorReport, paint: Paint): string {
  const { agrepl, deno, machine, layers, command } = report;
  const rows = layers.map(({ name, available, why }) => [`  ${name}`, available ? "yes" : "no", printableLine(why)]);
  const remedies = layers.flatMap(({ name, remedy }) =>
    remedy === null ? [] : [`  ${name} may be had by: ${printableLine(remedy)}`]
  );
  return [
    `${paint.bold("agrepl")} ${agrepl}, Deno ${deno}, ${machine}`,
    "isolation of a replay, strongest first",
    ...formatTable(rows),
    ...remedies,
    ...(command === null ? [] : commandLines(command, paint)),
  ].join("\n");
}

function commandLines({ command, runtime, layer, http, https, advice }: CheckedCommand, paint: Paint): string[] {
  const painted = (arrival: Arrival) => {
    const text = arrivals[arrival];
    return arrival === "arrived" ? paint.good(text) : arrival === "untried" ? text : paint.bad(text);
  };
  return [
    printableLine(formatCommand(command)),
    `  runtime  ${runtime ?? "none that agrepl knows"}`,
    `  replay   is held by: ${layer}`,
    `  http     ${painted(http)}`,
    `  https    ${painted(https)}`,
    ...advice.map((each) => `  note     ${printableLine(each)}`),
  ];
}

/**
 * Gives the same as a JSON value.
 *
 * @param report What was found out.
 * @returns Its fields, with whether there are findings.
 */
export function toDoctorReportJson(report: DoctorReport): Record<string, unknown> {
  return { ...report, findings: hasFindings(report) };
}
