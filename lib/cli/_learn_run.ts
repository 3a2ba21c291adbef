import { type Learned, learnRules, type ProposalKind } from "../diff/mod.ts";
import { type DiffReport, formatLearnReport, type LearnReport, toLearnJson } from "../report/mod.ts";
import { addToConfig, configPath, type ProjectConfig, readConfig } from "../store/mod.ts";
import type { CliContext } from "./_context.ts";
import { compareTraces, diffRules } from "./_diff_run.ts";
import { exitCode } from "./_exit.ts";
import { openTrace } from "./_open_trace.ts";
import { keyContext, orUsageError } from "./_run_parts.ts";
import type { LearnOptions } from "./_diff_options.ts";

/**
 * Learns rules from runs of the same thing and prints them.
 *
 * @returns 0 when the runs are equal with the rules, else 1.
 */
export async function learnRun(context: CliContext, runs: readonly string[], options: LearnOptions): Promise<number> {
  const config = readConfig(context.store.layout);
  const before = await compareAll(context, { runs, config, options });
  const learned = learnRules(before.map(({ difference }) => difference), keyContext(context));
  const added = rulesOf(learned);
  const after = learned.proposals.length === 0
    ? before
    : await compareAll(context, { runs, config: joined(config, added), options });
  const written = options.write === true && learned.proposals.length > 0;
  if (written) addToConfig(context.store.layout, added);
  const report: LearnReport = {
    runIds: [before[0]?.a.runId ?? "", ...before.map(({ b }) => b.runId)],
    learned,
    before: signalsOf(before),
    after: signalsOf(after),
    written: written ? configPath(context.store.layout) : null,
  };
  context.print(
    options.json === true ? JSON.stringify(toLearnJson(report), null, 2) : formatLearnReport(report, context.outPaint),
  );
  return report.after === 0 ? exitCode.same : exitCode.findings;
}

interface Comparison {
  readonly runs: readonly string[];
  readonly config: ProjectConfig;
  readonly options: LearnOptions;
}

/** The first run against each of the others. */
async function compareAll(context: CliContext, { runs, config, options }: Comparison): Promise<DiffReport[]> {
  const rules = orUsageError(() => diffRules(config, options));
  const [first = "", ...others] = runs;
  const reports: DiffReport[] = [];
  for (const other of others) {
    using a = openTrace(context, first);
    using b = openTrace(context, other);
    reports.push(await compareTraces(context, { a, b }, { rules, config, options, verbose: false, signalOnly: true }));
  }
  return reports;
}

function rulesOf({ proposals }: Learned): ProjectConfig {
  const of = (kind: ProposalKind) => proposals.filter((each) => each.kind === kind).map(({ rule }) => rule);
  return {
    ignoreQuery: of("ignore_query"),
    ignoreJson: of("ignore_json"),
    ignoreText: of("ignore_text").map((pattern) => ({ pattern })),
    noise: of("noise"),
    signal: [],
  };
}

function joined(config: ProjectConfig, added: ProjectConfig): ProjectConfig {
  return {
    ignoreQuery: [...config.ignoreQuery, ...added.ignoreQuery],
    ignoreJson: [...config.ignoreJson, ...added.ignoreJson],
    ignoreText: [...config.ignoreText, ...added.ignoreText],
    noise: [...config.noise, ...added.noise],
    signal: config.signal,
  };
}

function signalsOf(reports: readonly DiffReport[]): number {
  return reports.reduce((sum, { run, difference }) => sum + run.length + difference.counts.signal, 0);
}
