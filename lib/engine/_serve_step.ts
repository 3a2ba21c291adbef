import { emissionDifference, endToEndHeaders } from "../diff/mod.ts";
import { decodeContent } from "../key/mod.ts";
import {
  type Chunk,
  decodeUtf8,
  type Header,
  type RecordedError,
  type RecordedRequest,
  type RecordedResponse,
  type ResponseHead,
  type Step,
  type StreamEnd,
} from "../step/mod.ts";
import { BodyReader, type TraceEntry, type TraceFile } from "../store/mod.ts";
import { clientClosed, upstreamErrorAnswer } from "./_answers.ts";
import { shareChunks } from "./_chunk_shares.ts";
import { contentEncoding, decodedHeaders } from "./_content.ts";
import { jsonRpcId, withLiveId } from "./_json_rpc.ts";
import { nobodyReads } from "./_nobody_reads.ts";
import type { CopiedRequest } from "./_request_copy.ts";
import { EmissionMeter } from "./emission_meter.ts";
import type { Clock, ResponseSink } from "./exchange.ts";

/** `none`: at once; a number: the recorded times divided by it, 1 being the recorded pace. */
export type Pace = "none" | number;

/** What a recorded step is served with. */
export interface Serving {
  readonly trace: TraceFile;
  readonly entry: TraceEntry;
  readonly step: Step;
  readonly asked: CopiedRequest;
  readonly sink: ResponseSink;
  readonly pace: Pace;
  readonly clock: Clock;
  /** Takes what tells, at any time, what differs so far: a run may end while an answer is on its way. */
  readonly watch: (difference: () => string | null) => void;
}

/** An answer as it is to go out, and its body to be read twice: once to send, once to check. */
interface Answer {
  readonly head: ResponseHead;
  readonly chunks: readonly Chunk[];
  readonly trailers: readonly Header[];
  readonly end: StreamEnd;
  readonly resetCode?: number | undefined;
  readonly open: () => BodyReader;
}

/**
 * Sends a recorded answer, chunk by chunk as it was read.
 *
 * @returns What differed between what was stored and what went out, or `null`.
 * @throws {TraceFormatError} before anything is sent, when the body cannot be read.
 */
export async function serveStep(serving: Serving): Promise<string | null> {
  const { error } = serving.step;
  if (error?.code === clientClosed.code) return await holdOn(serving);
  if (error !== undefined && serving.sink.failWith !== undefined) return await failWith(error, serving);
  if (error?.resetCode !== undefined) return await breakOff(error.resetCode, serving);
  const answer = answerOf(serving);
  using stored = answer.open();
  const meter = new EmissionMeter(stored);
  serving.sink.meter = meter;
  const output = { ...answer.head, bodyBytes: stored.bytes, trailers: answer.trailers };
  const difference = () => meter.begun ? emissionDifference(output, meter.emission()) : null;
  serving.watch(difference);
  await send(answer, serving);
  return difference();
}

const holdMs = 20;

/** Nothing came while recording, until the client left: nothing comes now. */
async function holdOn({ sink, clock, watch }: Serving): Promise<null> {
  watch(() => null);
  while (!sink.closed) await clock.sleep(holdMs);
  return null;
}

/** There was no answer, and the client can be told so. */
async function failWith(error: RecordedError, serving: Serving): Promise<null> {
  serving.watch(() => null);
  const before = pacer(serving)(serving.step.latencyMs);
  if (before !== undefined) await before;
  serving.sink.failWith?.(error);
  return null;
}

/** The upstream broke the stream off before there was a head. */
async function breakOff(resetCode: number, serving: Serving): Promise<null> {
  serving.watch(() => null);
  await pacer(serving)(serving.step.latencyMs);
  serving.sink.abort(resetCode);
  return null;
}

function answerOf(serving: Serving): Answer {
  const { step: { response, error }, trace, entry } = serving;
  if (response === undefined) {
    const { head, body } = upstreamErrorAnswer(error ?? lostAnswer);
    return { head, chunks: [], trailers: [], end: "complete", open: () => new BodyReader(body) };
  }
  const { chunks, end, resetCode } = response;
  const trailers = endToEndHeaders(response.trailers);
  const live = withLiveIds(serving, response);
  if (live !== null) return { ...live, trailers, end, resetCode };
  return { head: response, chunks, trailers, end, resetCode, open: () => trace.openBody(response.body, entry) };
}

/** The codec lets no step pass that has neither a response nor an error. */
const lostAnswer: RecordedError = { phase: "read", code: "ENODATA", message: "the step holds no answer" };

async function send(answer: Answer, serving: Serving): Promise<void> {
  const { step, sink } = serving;
  using body = answer.open();
  const pauseUntil = pacer(serving);
  const beforeHead = pauseUntil(headMs(answer, body, step));
  if (beforeHead !== undefined) await beforeHead;
  sink.sendHead(answer.head);
  for (const [atMs, bytes] of answer.chunks) {
    const before = pauseUntil(atMs);
    if (before !== undefined) await before;
    if (nobodyReads(sink) || body.rest === 0) break;
    const wrote = sink.write(body.read(bytes));
    if (wrote !== undefined) await wrote;
  }
  // No turn of the event loop in between where none is needed: the end goes out with the last piece.
  if (body.rest > 0) await sendRest(body, sink);
  const beforeEnd = pauseUntil(step.latencyMs);
  if (beforeEnd !== undefined) await beforeEnd;
  endAnswer(answer, sink);
}

/** gRPC tells an error by a head that is all there is: it must not be sent before its end is known. */
const allHeadMs = 4;

/** When the head goes out; with the end, where nothing stands between the two. */
function headMs({ trailers }: Answer, body: BodyReader, { ttfbMs, latencyMs }: Step): number {
  const headAtMs = ttfbMs ?? latencyMs;
  const allHead = body.rest === 0 && trailers.length === 0 && latencyMs - headAtMs < allHeadMs;
  return allHead ? latencyMs : headAtMs;
}

/** Waits for moments of the recording, at the chosen pace; `undefined` where there is nothing to wait for. */
function pacer({ sink, pace, clock }: Serving): (atMs: number) => Promise<void> | undefined {
  const startMs = clock.elapsedMs();
  return (atMs) => {
    if (pace === "none" || sink.closed) return undefined;
    const restMs = startMs + atMs / pace - clock.elapsedMs();
    if (restMs <= 0) return undefined;
    sink.flush();
    return clock.sleep(restMs);
  };
}

function endAnswer({ end, resetCode, trailers }: Answer, sink: ResponseSink): void {
  if (nobodyReads(sink)) return;
  // A client that hung up while recording got an upstream that was read to its end: one that reads on gets all of it.
  if (end === "complete" || end === "client_closed") sink.end(trailers);
  else sink.abort(resetCode);
}

/** Chunks that do not add up to the body (a file edited by hand) still give the whole body. */
const restBytes = 64 * 1024;

async function sendRest(body: BodyReader, sink: ResponseSink): Promise<void> {
  while (body.rest > 0 && !nobodyReads(sink)) await sink.write(body.read(restBytes));
}

/** A JSON-RPC answer carries the id of the call at hand, not of the one that was recorded; `null` when they are the same. */
function withLiveIds(
  { trace, entry, step, asked }: Serving,
  response: RecordedResponse,
): Pick<Answer, "head" | "chunks" | "open"> | null {
  const liveId = jsonRpcId(asked.text);
  if (liveId === null || response.body === null) return null;
  const recordedId = jsonRpcId(decodeUtf8(plainBody(step.request, trace.readBody(step.request.body, entry))));
  if (recordedId === null || recordedId === liveId) return null;
  const stored = trace.readBody(response.body, entry);
  const body = plainBody(response, stored);
  const plain = body === stored ? response.chunks : shareChunks(response.chunks, stored.length, body.length);
  const { bytes, chunks } = withLiveId({ body, chunks: plain, recordedId, liveId });
  // An id inside a compressed body: the answer goes out decoded, as a body does in which a secret was found.
  const headers = decodedHeaders(response.headers, bytes.length, body !== stored);
  return { head: { ...response, headers }, chunks, open: () => new BodyReader(bytes) };
}

/** A JSON-RPC message that decodes to more than this keeps its recorded id. */
const plainLimitBytes = 64 * 1024 * 1024;

/** A body without its content-encoding, or as it is when that cannot be undone. */
function plainBody({ headers, decoded }: RecordedRequest | RecordedResponse, stored: Uint8Array): Uint8Array {
  const encoding = decoded === true ? null : contentEncoding(headers);
  return encoding === null ? stored : decodeContent(stored, encoding, plainLimitBytes) ?? stored;
}
