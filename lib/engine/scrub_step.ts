/**
 * A stored step by today's rules of redaction: cleaned, and keyed anew.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import type { Redactor } from "../redact/mod.ts";
import {
  encodeBody,
  type Frame,
  inlineLimitBytes,
  type RecordedRequest,
  type RecordedResponse,
  type Step,
} from "../step/mod.ts";
import type { StepSink, TraceEntry, TraceFile } from "../store/mod.ts";
import { opcodes } from "../wire/mod.ts";
import { messagesOf } from "./_frame_messages.ts";
import { type CopyContext, RequestCopy } from "./_request_copy.ts";
import { copyResponse } from "./_response_copy.ts";
import { redactPayload } from "./_socket_payload.ts";

/** What a step is cleaned with. */
export interface ScrubContext extends CopyContext {
  readonly sink: StepSink;
}

const pieceBytes = 1024 * 1024;

/**
 * Cleans a step as if it were recorded now.
 *
 * @param trace The trace that holds the step.
 * @param entry The step.
 * @param context Rules, and where large bodies go.
 * @returns The step in one line, its key made by the rules of the context.
 * @throws {TraceFormatError} when the step is damaged, or a blob is missing.
 */
export async function scrubStep(trace: TraceFile, entry: TraceEntry, context: ScrubContext): Promise<Step> {
  const { redactor } = context;
  const step = trace.step(entry);
  const { request, key } = await scrubRequest(trace, entry, context);
  const { response, error } = step;
  return {
    ...step,
    key,
    request,
    ...(response === undefined ? {} : { response: await scrubResponse(trace, entry, context) }),
    ...(error === undefined ? {} : { error: { ...error, message: redactor.text(error.message).stored } }),
  };
}

async function scrubRequest(
  trace: TraceFile,
  entry: TraceEntry,
  context: ScrubContext,
): Promise<{ readonly request: RecordedRequest; readonly key: string }> {
  const { request } = trace.step(entry);
  const copy = new RequestCopy(request, context, context.sink.spool());
  using body = trace.openBody(request.body, entry);
  while (body.rest > 0) await copy.push(body.read(pieceBytes));
  const { key, url, headers, body: stored, decoded } = await copy.finish();
  const { trailers } = request;
  return {
    key,
    request: {
      ...request,
      url,
      headers,
      body: stored,
      ...(decoded ? { decoded } : {}),
      ...(trailers === undefined ? {} : { trailers: context.redactor.headers(trailers) }),
    },
  };
}

async function scrubResponse(
  trace: TraceFile,
  entry: TraceEntry,
  { redactor, sink }: ScrubContext,
): Promise<RecordedResponse> {
  const { response } = trace.step(entry);
  if (response === undefined) throw new TypeError(`Cannot clean the response of step ${entry.seq}: it has none`);
  const copy = copyResponse(response.headers, redactor, sink.spool());
  using body = trace.openBody(response.body, entry);
  for (const [atMs, bytes] of response.chunks) await copy.push(body.read(bytes), atMs);
  const lastMs = response.chunks.at(-1)?.[0] ?? 0;
  while (body.rest > 0) await copy.push(body.read(pieceBytes), lastMs); // chunks that an editor took
  const { headers, body: stored, decoded, chunks } = await copy.finish();
  const { frames } = response;
  return {
    ...response,
    statusText: redactor.text(response.statusText).stored,
    headers,
    body: stored,
    ...(decoded ? { decoded } : {}),
    chunks: decoded ? chunks : response.chunks,
    trailers: redactor.headers(response.trailers),
    ...(frames === undefined ? {} : { frames: await scrubFrames(trace, entry, { frames, redactor, sink }) }),
  };
}

interface Frames {
  readonly frames: readonly Frame[];
  readonly redactor: Redactor;
  readonly sink: StepSink;
}

/** A message is cleaned as one text, and cut again where it was: lengths stay. */
async function scrubFrames(
  trace: TraceFile,
  entry: TraceEntry,
  { frames, redactor, sink }: Frames,
): Promise<Frame[]> {
  const clean = [...frames];
  for (const message of messagesOf(frames)) {
    const payloads = message.map((at) => trace.readBody(frames[at]?.[3] ?? null, entry));
    const opcode = frames[message[0] ?? 0]?.[2] ?? opcodes.text;
    const whole = redactPayload(Buffer.concat(payloads), opcode, redactor);
    let from = 0;
    for (const [index, at] of message.entries()) {
      const to = from + (payloads[index]?.length ?? 0);
      const frame = frames[at];
      if (frame !== undefined) clean[at] = await withPayload(frame, whole.subarray(from, to), sink);
      from = to;
    }
  }
  return clean;
}

async function withPayload([atMs, from, opcode, old]: Frame, bytes: Uint8Array, sink: StepSink): Promise<Frame> {
  const deflated = old !== null && "deflated" in old;
  const spool = sink.spool();
  if (bytes.length > inlineLimitBytes) await spool.push(bytes);
  const body = bytes.length > inlineLimitBytes ? spool.finish() : encodeBody(bytes);
  if (!deflated) return [atMs, from, opcode, body];
  return [atMs, from, opcode, { ...(body === null || "parts" in body ? { text: "" } : body), deflated }];
}
