import { emissionDifference, type MissExplanation } from "../diff/mod.ts";
import { type Header, headerValue, type RecordedResponse, type ResponseHead, type Step } from "../step/mod.ts";
import { BodyReader, type TraceEntry, type TraceFile } from "../store/mod.ts";
import { acceptOf, negotiatedDeflate } from "../wire/mod.ts";
import type { CopyContext } from "./_request_copy.ts";
import type { Pace } from "./_serve_step.ts";
import { SocketReplay } from "./_socket_replay.ts";
import { socketScript } from "./_socket_script.ts";
import { EmissionMeter } from "./emission_meter.ts";
import type { Channel, Clock, ResponseSink } from "./exchange.ts";

/** What a recorded WebSocket is served with. */
export interface SocketServing {
  readonly trace: TraceFile;
  readonly entry: TraceEntry;
  readonly step: Step;
  readonly response: RecordedResponse;
  /** Of the live request, as they came. */
  readonly headers: readonly Header[];
  readonly sink: ResponseSink;
  readonly upgrade: (head: ResponseHead) => Channel;
  readonly pace: Pace;
  readonly clock: Clock;
  readonly context: CopyContext;
  /** Takes what tells, at any time, what differs so far. */
  readonly watch: (difference: () => string | null) => void;
  /** Called with a message that was not recorded. */
  readonly onMiss: (miss: MissExplanation) => void;
}

/**
 * Answers with the recorded 101 and plays what the recorded server sent (design: WebSocket).
 *
 * @returns What differed between what was stored and what went out, or `null`.
 * @throws {TraceFormatError} before anything is sent, when a payload cannot be read.
 */
export async function serveSocket(serving: SocketServing): Promise<string | null> {
  const { entry, step, response, sink, pace, clock, context, watch, onMiss } = serving;
  const { frames = [], end } = response;
  checkPayloads(serving);
  const startMs = clock.elapsedMs();
  const pauseUntil = (atMs: number, signal?: AbortSignal) => {
    const restMs = pace === "none" ? 0 : startMs + atMs / pace - clock.elapsedMs();
    return restMs > 0 ? clock.sleep(restMs, signal) : undefined;
  };
  const head = { ...response, headers: liveHeaders(response, serving.headers) };
  const meter = new EmissionMeter(new BodyReader(new Uint8Array(0)));
  sink.meter = meter;
  const headDifference = () =>
    meter.begun ? emissionDifference({ ...head, bodyBytes: 0, trailers: [] }, meter.emission()) : null;
  watch(headDifference);
  await pauseUntil(step.ttfbMs ?? 0);
  const replay = new SocketReplay({
    seq: entry.seq,
    script: socketScript(frames),
    channel: serving.upgrade(head),
    deflate: negotiatedDeflate(response.headers),
    end,
    latencyMs: step.latencyMs,
    request: step.request,
    context,
    read: (payload) => serving.trace.readBody(payload, entry),
    pauseUntil,
    onMiss,
  });
  const difference = () => headDifference() ?? replay.difference;
  watch(difference);
  await replay.run();
  return difference();
}

/** A blob that is missing is told while an answer can still be given. */
function checkPayloads({ trace, entry, response }: SocketServing): void {
  for (const [, , , payload] of response.frames ?? []) trace.openBody(payload, entry)[Symbol.dispose]();
}

/** The proof that the handshake was understood is made of the live client's key (RFC 6455, 4.2.2). */
function liveHeaders(response: RecordedResponse, asked: readonly Header[]): Header[] {
  const key = headerValue(asked, "sec-websocket-key");
  return response.headers.map(([name, value]) => [
    name,
    key !== undefined && name.toLowerCase() === "sec-websocket-accept" ? acceptOf(key) : value,
  ]);
}
