/** The table of all suites, in the order in which they run. */

import type { Suite } from "../support/suite.ts";
import { measureConnections } from "./connections.ts";
import { measureDiff } from "./diff.ts";
import { measureLargeResponse } from "./large_response.ts";
import { measureWorkloads } from "./paper_workloads.ts";
import { measureRecordStep } from "./record_step.ts";
import { measureReplayStep } from "./replay_step.ts";
import { measureStartUp } from "./start_up.ts";
import { measureStreaming } from "./streaming.ts";
import { measureTraceSize } from "./trace_size.ts";
import { measureWithReplay } from "./with_replay.ts";

/** All suites. */
export const suites: readonly Suite[] = [
  {
    name: "replay_step",
    title: "A replayed step",
    about: "1 KiB over one kept-alive HTTPS connection, client and CLI in processes of their own, against a bare " +
      "`node:http` server that answers the same over the same CONNECT and TLS. Traces of 4,000 steps, each asked for " +
      "once.",
    run: measureReplayStep,
  },
  {
    name: "record_step",
    title: "A recorded step",
    about:
      "The same client straight to an HTTPS origin, through a relay of `node:http` and `node:https` that looks into " +
      "TLS and records nothing, and through `agrepl record`.",
    run: measureRecordStep,
  },
  {
    name: "start_up",
    title: "Start-up",
    about: "Fresh processes, 15 rounds, wall time seen from outside.",
    run: measureStartUp,
  },
  {
    name: "large_response",
    title: "A response of 500 MB while it is recorded",
    about:
      "Memory is the growth of VmHWM of the agrepl process; the recorded blob is hashed again and must be what was " +
      "sent.",
    run: measureLargeResponse,
  },
  {
    name: "streaming",
    title: "Streaming",
    about:
      "500 chunks, one every 2 ms, read by `fetch`; each carries the moment it was written. The replay runs with " +
      "`--timing recorded` and is held against the times in the trace.",
    run: measureStreaming,
  },
  {
    name: "connections",
    title: "64 connections at once",
    about:
      "One client process, 6,400 requests of which no two are alike, every answer compared. The client needs a core " +
      "of its own, so it bounds both sides.",
    run: measureConnections,
  },
  {
    name: "trace_size",
    title: "Opening traces",
    about:
      "Steps of 1 KiB, no index, each opened in a fresh process; memory is the growth of VmHWM while opening; steps " +
      "are asked for in a shuffled order.",
    run: measureTraceSize,
  },
  {
    name: "with_replay",
    title: "The library, in its user's own process",
    about:
      "Fresh processes; `mod.ts` imported, then cassettes of steps of 1 KiB replayed by `withReplay`, one request " +
      "after the other, every answer compared. The first call loads the engine and Node's HTTP modules.",
    run: measureWithReplay,
  },
  {
    name: "workloads",
    title: "The paper's five workloads",
    about:
      "Against a loopback world that is as slow as the paper's, then replayed with that world switched off; each " +
      "replay a process of its own. Over a kept connection a workload runs 300 times in one process, the first 100 " +
      "left out; the client's own part shows against a bare server that plays the same answers back.",
    run: measureWorkloads,
  },
  {
    name: "diff",
    title: "Comparing two runs",
    about:
      "Pairs of runs of seven steps from seeds, stamped as edges, vendors and clocks stamp them (`pairs/`, which knows " +
      "nothing of the taxonomy); then one change of meaning put into each, 29 kinds of them. Times are of fresh " +
      "processes, on traces of 1 KiB steps.",
    run: measureDiff,
  },
];
