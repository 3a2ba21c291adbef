/** Lines of a trace with everything filled in, of which a test changes what it is about. */

import { defaultKeyRules, type Step, type TraceEnd, type TraceHeader } from "../../lib/step/mod.ts";

/** A header. */
export function headerLine(changes: Partial<TraceHeader> = {}): TraceHeader {
  return {
    kind: "trace",
    version: 1,
    runId: "20261120-091233-k3f9",
    name: null,
    command: ["python", "agent.py"],
    cwd: ".",
    timestamp: "2026-11-20T09:12:33.120Z",
    agrepl: "0.1.0",
    env: ["OPENAI_API_KEY"],
    key: defaultKeyRules,
    redaction: { version: 1 },
    ...changes,
  };
}

/** A step that was answered, with a key of its own. */
export function stepLine(seq: number, changes: Partial<Step> = {}): Step {
  return {
    kind: "step",
    seq,
    type: "HTTP",
    key: keyOfNumber(seq),
    timestamp: "2026-11-20T09:12:33.200Z",
    latencyMs: 12.5,
    ttfbMs: 8.25,
    request: {
      method: "GET",
      url: `https://api.example.com/items/${seq}`,
      httpVersion: "1.1",
      headers: [["Accept", "*/*"]],
      body: null,
    },
    response: {
      status: 200,
      statusText: "OK",
      httpVersion: "1.1",
      headers: [["Content-Type", "text/plain"], ["Content-Length", "5"]],
      body: { text: "hello" },
      chunks: [[8.25, 5]],
      trailers: [],
      end: "complete",
    },
    ...changes,
  };
}

/** An end. */
export function endLine(changes: Partial<TraceEnd> = {}): TraceEnd {
  const digest = `sha256:${"0".repeat(64)}`;
  return { kind: "end", status: "completed", exitCode: 0, steps: 1, durationMs: 81.5, digest, ...changes };
}

/** A key that no other number has. */
export function keyOfNumber(number: number): string {
  return number.toString(16).padStart(64, "0");
}
