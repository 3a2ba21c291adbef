/**
 * agrepl's library: the trace format, and the keys by which a recorded step answers a request.
 *
 * @module
 */
export {
  type Body,
  type Chunk,
  type ErrorPhase,
  formatLine,
  type Header,
  type HttpVersion,
  type KeyRules,
  type LinePlace,
  type More,
  parseLine,
  type RecordedError,
  type RecordedRequest,
  type RecordedResponse,
  type RequestHead,
  type ResponseHead,
  type RunStatus,
  type Step,
  type StepType,
  type StreamEnd,
  type TextRule,
  type TraceEnd,
  type TraceFormatCode,
  TraceFormatError,
  type TraceHeader,
  type TraceLine,
  type UnknownFields,
} from "./lib/step/mod.ts";
