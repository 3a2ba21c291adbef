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
 * The bytes of a message body: none, UTF-8 text, base64, or the content address of a file under `blobs/`.
 * The bytes are those of the wire (still compressed if they were), unless the message says `decoded`.
 */
export type Body =
  | null
  | { readonly text: string }
  | { readonly base64: string }
  | { readonly blob: string; readonly bytes: number };

/** One read as it was delivered: milliseconds since the request was sent, and bytes. */
export type Chunk = readonly [atMs: number, bytes: number];

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
  readonly httpVersion: HttpVersion;
  /** In wire order and case, repeats kept. */
  readonly headers: readonly Header[];
}

/** A response without its body. */
export interface ResponseHead {
  /** 100 to 599. */
  readonly status: number;
  /** The reason phrase, `""` where the protocol has none. */
  readonly statusText: string;
  readonly httpVersion: HttpVersion;
  /** In wire order and case, repeats kept. */
  readonly headers: readonly Header[];
}

/** A request as a trace holds it. */
export interface RecordedRequest extends RequestHead {
  readonly body: Body;
  /** True when `body` was stored with its content-encoding undone. */
  readonly decoded?: boolean;
  readonly trailers?: readonly Header[];
  readonly unknown?: UnknownFields;
}

/** A response as a trace holds it. */
export interface RecordedResponse extends ResponseHead {
  readonly body: Body;
  /** True when `body` was stored with its content-encoding undone. */
  readonly decoded?: boolean;
  readonly chunks: readonly Chunk[];
  readonly trailers: readonly Header[];
  readonly end: StreamEnd;
  readonly unknown?: UnknownFields;
}

/** Why there is no response: the upstream failed. */
export interface RecordedError {
  readonly phase: ErrorPhase;
  /** A stable, short code: `ECONNREFUSED`, `ENOTFOUND`, `CERT_HAS_EXPIRED`. */
  readonly code: string;
  readonly message: string;
}

/** One exchange: s = (τ, ι, o, μ) (paper III-A). Either `response` or `error` is there. */
export interface Step {
  readonly kind: "step";
  /** The order in which requests began; gaps are legal. */
  readonly seq: number;
  readonly type: StepType;
  /** K(s), 64 hexadecimal digits. */
  readonly key: string;
  /** ISO 8601, when the request began. */
  readonly timestamp: string;
  /** From the request's start to the response's end. */
  readonly latencyMs: number;
  /** From the request's start to the response's head; `null` when none came. */
  readonly ttfbMs: number | null;
  /** Served if asked for, never counted in the divergence set. */
  readonly optional?: boolean;
  readonly request: RecordedRequest;
  readonly response?: RecordedResponse;
  readonly error?: RecordedError;
  readonly unknown?: UnknownFields;
}

/** More of a step that was written while it was still open. */
export interface More {
  readonly kind: "more";
  /** The step that this line goes on with. */
  readonly seq: number;
  readonly chunks: readonly Chunk[];
  readonly body: Body;
  readonly trailers?: readonly Header[];
  readonly end: StreamEnd;
  readonly unknown?: UnknownFields;
}

/** A rule that replaces text in a body by a constant before hashing. */
export interface TextRule {
  /** A URLPattern; without it the rule holds for every URL. */
  readonly url?: string;
  /** A regular expression, or the name of a preset: `date`, `cwd`, `home`, `uuid`. */
  readonly pattern: string;
}

/** What K(s) looks past, beyond what scheme 1 itself does. */
export interface KeyRules {
  readonly version: 1;
  /** Names of query parameters. */
  readonly ignoreQuery: readonly string[];
  /** `[METHOD ][URLPattern ]#/pointer`, a JSON pointer in which a star stands for any index or member. */
  readonly ignoreJson: readonly string[];
  readonly ignoreText: readonly TextRule[];
}

/** The first line of a trace. */
export interface TraceHeader {
  readonly kind: "trace";
  readonly version: 1;
  /** `20261120-091233-k3f9`. */
  readonly runId: string;
  readonly name: string | null;
  readonly command: readonly string[];
  /** Relative to the directory that holds the store. */
  readonly cwd: string;
  /** ISO 8601. */
  readonly timestamp: string;
  /** The version of agrepl that wrote the trace. */
  readonly agrepl: string;
  /** Names of the credential-like variables that were set. */
  readonly env: readonly string[];
  readonly key: KeyRules;
  readonly redaction: { readonly version: 1 };
  readonly unknown?: UnknownFields;
}

/** How a run ended. A trace without its last line counts as `interrupted`. */
export type RunStatus = "completed" | "failed" | "interrupted";

/** The last line of a trace. */
export interface TraceEnd {
  readonly kind: "end";
  readonly status: RunStatus;
  readonly exitCode: number | null;
  readonly steps: number;
  readonly durationMs: number;
  /** `sha256:<64 hex>` over all lines before this one. */
  readonly digest: string;
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
 */
export function headerValue(headers: readonly Header[], name: string): string | undefined {
  for (const [key, value] of headers) {
    if (key.length === name.length && key.toLowerCase() === name) return value;
  }
  return undefined;
}
