/**
 * agrepl's library: the trace format, for programs that read, make or change traces.
 *
 * @module
 */
export {
  type Body,
  type Chunk,
  decodeBody,
  encodeBody,
  type ErrorPhase,
  formatLine,
  type Frame,
  type Header,
  headerValue,
  type HttpVersion,
  type KeyRules,
  type LinePlace,
  type More,
  parseLine,
  type RecordedError,
  type RecordedRequest,
  type RecordedResponse,
  type RedactionRules,
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
