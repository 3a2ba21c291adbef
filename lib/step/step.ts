/**
 * The values a trace is made of: steps, their requests and responses, and the lines that frame them.
 *
 * @module
 */

/** What kind of exchange a step is (paper III-A, τ). */
export type StepType = "LLM" | "HTTP" | "TOOL" | "SYSTEM";

/** One header or trailer as it stood on the wire: name in its own case, then value. */
export type Header = readonly [name: string, value: string];

/**
 * The bytes of a message body: none, UTF-8 text, base64, the content address of a file under `blobs/`, or several of
 * these one after the other.
 * The bytes are those of the wire (still compressed if they were), unless the message says `decoded`.
 */
export type Body =
  | null
  | BodyPart
  | { readonly parts: readonly BodyPart[]; readonly unknown?: UnknownFields };

/** A body that stands in its line. */
export type InlineBody =
  | null
  | { readonly text: string; readonly unknown?: UnknownFields }
  | { readonly base64: string; readonly unknown?: UnknownFields };

/** A whole body, or one of several stretches of it that follow each other: a long stream is written bit by bit. */
export type BodyPart =
  | Exclude<InlineBody, null>
  | { readonly blob: string; readonly bytes: number; readonly unknown?: UnknownFields };

/** One read as it was delivered: milliseconds since the request was sent, and bytes. */
export type Chunk = readonly [atMs: number, bytes: number];

/**
 * What a WebSocket frame carried, unmasked. With `deflated` its message came compressed (RFC 7692): it is kept
 * decompressed, all of it in the message's last frame.
 */
export type FramePayload = Body | (BodyPart & { readonly deflated: true });

/**
 * One WebSocket frame: milliseconds since the request was sent, who sent it, its opcode (RFC 6455, 5.2), its payload.
 * It is the last of its message unless the next data frame of its direction is a continuation.
 */
export type Frame = readonly [atMs: number, from: "client" | "server", opcode: number, payload: FramePayload];

/** How the response's stream came to its end. */
export type StreamEnd = "complete" | "client_closed" | "upstream_reset" | "timeout" | "interrupted" | "open";

/** The version of HTTP that an exchange spoke. */
export type HttpVersion = "1.0" | "1.1" | "2";

/** Where an exchange with an upstream failed. */
export type ErrorPhase = "dns" | "connect" | "tls" | "read";

/** Fields that a newer agrepl, or a user, put into a line: kept, never read. */
export type UnknownFields = Readonly<Record<string, unknown>>;

/** A request without its body. */
export interface RequestHead {
  /** In the case of the wire: `GET`. */
  readonly method: string;
  /** Absolute: `https://api.example.com/v1?x=1`. */
  readonly url: string;
  /** What the request was spoken in. */
  readonly httpVersion: HttpVersion;
  /** In wire order and case, repeats kept. */
  readonly headers: readonly Header[];
}

/** A response without its body. */
export interface ResponseHead {
  /** 100 to 999; servers do answer beyond 599. */
  readonly status: number;
  /** The reason phrase, `""` where the protocol has none. */
  readonly statusText: string;
  /** What the response was spoken in. */
  readonly httpVersion: HttpVersion;
  /** In wire order and case, repeats kept. */
  readonly headers: readonly Header[];
}

/** A request as a trace holds it. */
export interface RecordedRequest extends RequestHead {
  /** All that the client sent. */
  readonly body: Body;
  /** True when `body` was stored with its content-encoding undone. */
  readonly decoded?: boolean;
  /** In wire order and case; absent when there were none. */
  readonly trailers?: readonly Header[];
  /** Fields of the line that this agrepl does not know. */
  readonly unknown?: UnknownFields;
}

/** How a response came to its end. */
export interface ResponseEnd {
  /** `open` when `more` lines go on with it. */
  readonly end: StreamEnd;
  /** With which code (RFC 9113 7) an upstream broke the stream off; HTTP/1.1 has none. */
  readonly resetCode?: number;
  /** Of a WebSocket that went on after it could not be followed any more, and is `open` for that: why. */
  readonly unreadable?: string;
}

/** A response as a trace holds it. */
export interface RecordedResponse extends ResponseHead, ResponseEnd {
  /** All that the upstream sent, as far as it came. */
  readonly body: Body;
  /** True when `body` was stored with its content-encoding undone. */
  readonly decoded?: boolean;
  /** The reads that made up the body on the wire, in order. */
  readonly chunks: readonly Chunk[];
  /** In wire order and case, repeats kept. */
  readonly trailers: readonly Header[];
  /** What a WebSocket carried after the handshake, in the order of its passing; present on each of them, even empty. */
  readonly frames?: readonly Frame[];
  /** Fields of the line that this agrepl does not know. */
  readonly unknown?: UnknownFields;
}

/** Why there is no response: the upstream failed. */
export interface RecordedError {
  /** How far the exchange had come. */
  readonly phase: ErrorPhase;
  /** A stable, short code: `ECONNREFUSED`, `ENOTFOUND`, `CERT_HAS_EXPIRED`. */
  readonly code: string;
  /** What the runtime said, for reading. */
  readonly message: string;
  /** With which code (RFC 9113 7) an upstream broke an HTTP/2 stream off; a client of HTTP/2 was given it. */
  readonly resetCode?: number;
  /** Fields of the line that this agrepl does not know. */
  readonly unknown?: UnknownFields;
}

/** One exchange: s = (τ, ι, o, μ) (paper III-A). Either `response` or `error` is there. */
export interface Step {
  /** Tells a step's line from the others. */
  readonly kind: "step";
  /** The order in which requests began; gaps are legal. */
  readonly seq: number;
  /** What kind of exchange it was. */
  readonly type: StepType;
  /** K(s), 64 hexadecimal digits. */
  readonly key: string;
  /** ISO 8601, when the request began. */
  readonly timestamp: string;
  /** Milliseconds from the request's start to the response's end. */
  readonly latencyMs: number;
  /** Milliseconds from the request's start to the response's head; `null` when none came. */
  readonly ttfbMs: number | null;
  /** Served if asked for, never counted in the divergence set. */
  readonly optional?: boolean;
  /** ι: what was asked. */
  readonly request: RecordedRequest;
  /** o: what was answered. */
  readonly response?: RecordedResponse;
  /** Why nothing was answered. */
  readonly error?: RecordedError;
  /** Fields of the line that this agrepl does not know. */
  readonly unknown?: UnknownFields;
}

/** More of a step that was written while it was still open. */
export interface More extends ResponseEnd {
  /** Tells a continuation from the other lines. */
  readonly kind: "more";
  /** The step that this line goes on with. */
  readonly seq: number;
  /** The reads since the line before; empty on a WebSocket. */
  readonly chunks: readonly Chunk[];
  /** The bytes of these reads. */
  readonly body: Body;
  /** The step's latency by now, in place of what the line before said. */
  readonly latencyMs?: number;
  /** On the last line of a stream that had some. */
  readonly trailers?: readonly Header[];
  /** What a WebSocket carried since the line before. */
  readonly frames?: readonly Frame[];
  /** Fields of the line that this agrepl does not know. */
  readonly unknown?: UnknownFields;
}

/** A rule that replaces text in a body by a constant before hashing. */
export interface TextRule {
  /** A URLPattern; without it the rule holds for every URL. */
  readonly url?: string;
  /** A regular expression, or the name of a preset: `date`, `cwd`, `home`, `uuid`. */
  readonly pattern: string;
  /** Fields of the line that this agrepl does not know. */
  readonly unknown?: UnknownFields;
}

/** What K(s) looks past, beyond what scheme 1 itself does. */
export interface KeyRules {
  /** The scheme by which keys are made. */
  readonly version: 1;
  /** Names of query parameters. */
  readonly ignoreQuery: readonly string[];
  /** `[METHOD ][URLPattern ]#/pointer`, a JSON pointer in which a star stands for any index or member. */
  readonly ignoreJson: readonly string[];
  /** Text that is replaced by a constant before a body is hashed. */
  readonly ignoreText: readonly TextRule[];
  /** Fields of the line that this agrepl does not know. */
  readonly unknown?: UnknownFields;
}

/** The rules by which secrets were replaced. */
export interface RedactionRules {
  /** The set of rules. */
  readonly version: 1;
  /** Regular expressions of the user's that hold besides; absent when there are none. */
  readonly patterns?: readonly string[];
  /** False when the user wanted nothing replaced. */
  readonly enabled?: false;
  /** Fields of the line that this agrepl does not know. */
  readonly unknown?: UnknownFields;
}

/** The first line of a trace. */
export interface TraceHeader {
  /** Tells the header from the other lines. */
  readonly kind: "trace";
  /** Of the format. */
  readonly version: 1;
  /** `20261120-091233-k3f9`. */
  readonly runId: string;
  /** What the user called the run. */
  readonly name: string | null;
  /** The program and its arguments. */
  readonly command: readonly string[];
  /** Relative to the directory that holds the store. */
  readonly cwd: string;
  /** ISO 8601, when the run began. */
  readonly timestamp: string;
  /** The version of agrepl that wrote the trace. */
  readonly agrepl: string;
  /** Names of the credential-like variables that were set. */
  readonly env: readonly string[];
  /** What the keys of the steps look past. */
  readonly key: KeyRules;
  /** What was replaced before a step was written. */
  readonly redaction: RedactionRules;
  /** Fields of the line that this agrepl does not know. */
  readonly unknown?: UnknownFields;
}

/** How a run ended. A trace without its last line counts as `interrupted`. */
export type RunStatus = "completed" | "failed" | "interrupted";

/** The last line of a trace. */
export interface TraceEnd {
  /** Tells the end from the other lines. */
  readonly kind: "end";
  /** How the run ended. */
  readonly status: RunStatus;
  /** The command's; `null` when it had none. */
  readonly exitCode: number | null;
  /** How many steps the trace holds. */
  readonly steps: number;
  /** Milliseconds from the command's start to its end. */
  readonly durationMs: number;
  /** `sha256:<64 hex>` over all lines before this one. */
  readonly digest: string;
  /** Fields of the line that this agrepl does not know. */
  readonly unknown?: UnknownFields;
}

/** One line of a trace. */
export type TraceLine = TraceHeader | Step | More | TraceEnd;

/** The key rules of a trace that names none. */
export const defaultKeyRules: KeyRules = { version: 1, ignoreQuery: [], ignoreJson: [], ignoreText: [] };

/**
 * Finds the first header of a name, whatever its case.
 *
 * @param headers The headers to search.
 * @param name The name in lower case.
 * @returns Its value, or `undefined`.
 *
 * @example A name on the wire may have any case
 * ```ts
 * import { headerValue } from "@agrepl/core";
 * import { equal } from "node:assert/strict";
 *
 * equal(headerValue([["Content-Type", "text/plain"]], "content-type"), "text/plain");
 * ```
 */
export function headerValue(headers: readonly Header[], name: string): string | undefined {
  for (const [key, value] of headers) {
    if (key.length === name.length && key.toLowerCase() === name) return value;
  }
  return undefined;
}
