import { type Engine, Keeper, type KeeperOptions } from "../engine/mod.ts";
import { credentialNames, redactCommand } from "../redact/mod.ts";
import type { KeptTrace } from "../report/mod.ts";
import type { RedactionRules } from "../step/mod.ts";
import type { RunOutcome, TraceFile, TraceWriter } from "../store/mod.ts";
import type { CliContext } from "./_context.ts";
import { LossLog } from "./_loss_log.ts";
import { findTrace } from "./_open_trace.ts";
import type { KeyOptions } from "./_options.ts";
import type { NoticeLog } from "./_run_parts.ts";
import { endTrace, openWriter } from "./_trace_of_run.ts";

/** What of a replay is written down. */
export interface KeptReplay extends Pick<KeeperOptions, "redactor" | "rules"> {
  readonly trace: TraceFile;
  /** What the user named it. */
  readonly run: string;
  readonly redaction: RedactionRules;
  readonly engine: Engine;
  readonly command: readonly string[];
  readonly cwd: string;
  readonly notices: NoticeLog;
  readonly options: KeyOptions;
}

/** What is still under way when the child has ended may take this long: its client is most likely gone. */
const settleMs = 1000;

/** A replay as a run of its own (`--keep`): what was asked, with what was answered. */
export class KeptRun implements Disposable {
  /** Answers as the replay's engine does, and writes it down. */
  readonly engine: Engine;
  readonly #keeper: Keeper;
  readonly #writer: TraceWriter;
  readonly #lost: LossLog;
  readonly #replayed: string;
  /** The rules that the replay added to the trace's. */
  readonly #flags: readonly string[];
  #ended = false;

  /** Writes the header: what the trace looked past and replaced, this one does. */
  constructor(context: CliContext, kept: KeptReplay) {
    const { trace, redaction, redactor, rules, notices } = kept;
    this.#replayed = findTrace(context, kept.run).ref === null ? kept.run : trace.header.runId; // latest is this one now
    this.#flags = keyFlags(kept.options);
    this.#lost = new LossLog(context.store.layout.root);
    this.#writer = openWriter(context, {
      name: null,
      command: redactCommand(redactor, kept.command),
      cwd: kept.cwd,
      env: [...new Set([...trace.header.env, ...credentialNames(context.env)])].sort(),
      key: rules.rules,
      redaction,
    });
    this.#keeper = new Keeper({
      engine: kept.engine,
      sink: this.#writer,
      redactor,
      rules,
      onLost: this.#lost.takeExchange,
      onUnrecorded: notices.takeUnrecorded,
    });
    this.engine = this.#keeper;
  }

  /** Writes down what is still under way, and the end. */
  async end(outcome: RunOutcome): Promise<void> {
    await this.#keeper.settle(settleMs);
    this.#ended = true;
    endTrace(this.#writer, outcome, this.#lost);
  }

  /** What the report says of it. */
  get told(): KeptTrace {
    const { runId } = this.#writer.header;
    return { runId, compare: ["agrepl", "diff", this.#replayed, runId, ...this.#flags], steps: this.#writer.steps };
  }

  /** Whether something could not be written. */
  get lossy(): boolean {
    return this.#lost.any;
  }

  /** What could not be written. */
  warnings(): string[] {
    return this.#lost.warnings();
  }

  /** A command that never ran leaves no run. */
  [Symbol.dispose](): void {
    if (!this.#ended) this.#writer.discard();
  }
}

function keyFlags({ ignoreQuery, ignoreJson, ignoreText }: KeyOptions): string[] {
  return [
    ...ignoreQuery.flatMap((rule) => ["--ignore-query", rule]),
    ...ignoreJson.flatMap((rule) => ["--ignore-json", rule]),
    ...ignoreText.flatMap((rule) => ["--ignore-text", rule]),
  ];
}
