import { resolve } from "node:path";
import { formatCommand, printable, UsageError } from "../report/mod.ts";
import type { TraceHeader } from "../step/mod.ts";
import type { CliContext } from "./_context.ts";
import { findTrace, openTrace } from "./_open_trace.ts";
import type { RunOptions } from "./_options.ts";
import { replayRun } from "./_replay_run.ts";

/**
 * Replays a run with the command that its trace names.
 *
 * @returns The exit code.
 */
export async function rerun(context: CliContext, run: string, options: RunOptions): Promise<number> {
  const { header, known } = readHeader(context, run);
  if (!known && options.yes !== true) askBeforeRunning(context, header);
  if (header.command.some((word) => redacted.test(word))) {
    context.tell(
      "agrepl: The recorded command held a secret, which is redacted: where it matters, give the command yourself: " +
        `agrepl replay ${run} -- COMMAND`,
    );
  }
  // The header's cwd is relative to the folder that holds the store, wherever agrepl was called.
  const cwd = known ? resolve(context.store.layout.root, "..", header.cwd) : context.cwd;
  return await replayRun(context, { run, command: header.command, cwd, options });
}

/** What stands where a secret was. */
const redacted = /\[redacted-\d+\**\]/;

function readHeader(context: CliContext, run: string): { readonly header: TraceHeader; readonly known: boolean } {
  const { ref } = findTrace(context, run);
  const known = ref !== null && ref.origin === undefined; // a pulled run lies in this store, its command is a stranger's
  using trace = openTrace(context, run);
  if (trace.header.command.length > 0) return { header: trace.header, known };
  throw new UsageError(`Cannot run "${run}": its trace names no command; give one: agrepl replay ${run} -- COMMAND`);
}

/** A file from elsewhere carries a stranger's command. */
function askBeforeRunning(context: CliContext, header: TraceHeader): void {
  context.tell(
    `This trace was not recorded in this store. Its command is:\n  ${printable(formatCommand(header.command))}`,
  );
  if (!Deno.stdin.isTerminal()) {
    throw new UsageError(
      "Cannot ask whether to run it, since stdin is no terminal: pass --yes, or give agrepl replay a command of your own",
    );
  }
  context.tell("Run it? [y/N]");
  const answer = new Uint8Array(64);
  const read = Deno.stdin.readSync(answer) ?? 0;
  if (!/^y(?:es)?$/i.test(new TextDecoder().decode(answer.subarray(0, read)).trim())) {
    throw new UsageError("Cannot run the command: the answer was not yes");
  }
}
