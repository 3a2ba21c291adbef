/**
 * The taxonomy of headers, as data (paper V-B): adding a header is adding a line here.
 *
 * A header is listed as noise only if no program answers by it: one hidden wrongly is a change that nobody sees, one
 * shown wrongly is a line too much, and a rule takes it away.
 *
 * @module
 */

/** One line of the taxonomy. */
export interface HeaderRule {
  /** Lower case; a star stands for any characters. Of two that fit, the one that stands first in the table decides. */
  readonly names: readonly string[];
  readonly tier: "signal" | "noise";
  /** Only beside a body: where there is none, such a header is all there is to see of it. */
  readonly beside?: "body";
  /** Only values like this. */
  readonly value?: RegExp;
  /** A sentence without its period. */
  readonly why: string;
  /** Where it is documented. */
  readonly source: string;
}

const date =
  /^(?:[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} [\d:]{8} GMT|[A-Z][a-z]+, \d\d-[A-Z][a-z]{2}-\d\d [\d:]{8} GMT)$/;

function noise(why: string, source: string, names: readonly string[], only: Partial<HeaderRule> = {}): HeaderRule {
  return { names, tier: "noise", why, source, ...only };
}

function signal(why: string, source: string, names: readonly string[]): HeaderRule {
  return { names, tier: "signal", why, source };
}

/** The paper's own lists, word for word. */
const paper: readonly HeaderRule[] = [
  signal("where to go instead", "paper V-B; RFC 9110 10.2.2", ["location"]),
  signal("what the body is", "paper V-B; RFC 9110 8.3", ["content-type"]),
  signal("whether a cache answered", "paper V-B", ["x-cache"]),
  signal("who answered", "paper V-B; RFC 9110 10.2.4", ["server"]),
  noise("when the answer was made", "paper V-B; RFC 9110 6.6.1", ["date"]),
  noise("how long it lay in a cache", "paper V-B; RFC 9111 5.1", ["age"]),
  noise("times at the edge", "paper V-B; Fastly", ["x-timer"]),
  noise("names one request", "paper V-B", ["x-request-id", "x-fastly-request-id", "x-github-request-id"]),
  noise("which of many equal machines answered", "paper V-B; Fastly", ["x-served-by"]),
  noise("which proxies it came through", "paper V-B; RFC 9110 7.6.3", ["via"]),
];

/** What HTTP itself stamps. */
const http: readonly HeaderRule[] = [
  signal("what a client has to do, or may not", "RFC 9110", [
    "www-authenticate",
    "allow",
    "retry-after",
    "content-range",
    "accept-ranges",
    "content-disposition",
    "content-language",
  ]),
  signal("whether and how long it may be kept", "RFC 9111 5.2; RFC 9110 12.5.5", ["cache-control", "vary"]),
  signal("what a browser may do with it", "Fetch, CSP, RFC 6797", [
    "access-control-allow-*",
    "content-security-policy*",
    "strict-transport-security",
  ]),
  signal("how a gRPC call ended", "grpc.io: PROTOCOL-HTTP2", ["grpc-status", "grpc-message"]),
  noise("counted from the body, which is compared itself", "RFC 9110 8.6", ["content-length"], { beside: "body" }),
  noise("how the body was packed; it is compared unpacked", "RFC 9110 8.4", ["content-encoding"], { beside: "body" }),
  noise("made from the body, which is compared itself", "RFC 9110 8.8", ["etag", "last-modified"], { beside: "body" }),
  noise("a sum over the body, which is compared itself", "RFC 9530; RFC 3230", [
    "content-md5",
    "content-digest",
    "repr-digest",
    "digest",
  ], { beside: "body" }),
  noise("a date that moves on", "RFC 9111 5.3", ["expires"], { value: date }),
  noise("framing of one connection", "RFC 9110 7.6.1; RFC 9112", [
    "connection",
    "keep-alive",
    "transfer-encoding",
    "proxy-connection",
    "te",
    "trailer",
  ]),
  noise(
    "handed on from an earlier answer, which is compared itself",
    "RFC 9110 13.1; WHATWG HTML 9.2; MCP transports",
    [
      "if-none-match",
      "if-modified-since",
      "last-event-id",
      "mcp-session-id",
    ],
  ),
  noise("drawn anew for each handshake", "RFC 6455 4.1, 4.2.2", ["sec-websocket-key", "sec-websocket-accept"]),
  noise("times inside the server", "W3C Server Timing", ["server-timing", "timing-allow-origin"]),
  noise("where else the service can be reached", "RFC 7838", ["alt-svc", "alt-used"]),
  noise("where browsers send reports", "W3C Reporting API, Network Error Logging", [
    "report-to",
    "nel",
    "reporting-endpoints",
  ]),
];

/** Ids of one request, whoever drew them. */
const ids: readonly HeaderRule[] = [
  noise("names one request", "common use; Envoy, nginx, Heroku, Rails", [
    "request-id",
    "x-req-id",
    "x-requestid",
    "x-correlation-id",
    "correlation-id",
    "x-transaction-id",
    "x-unique-id",
    "x-reference-id",
    "x-operation-id",
    "x-log-id",
    "x-tt-logid",
    "x-trace-id",
    "trace-id",
    "x-traceid",
    "x-b3-*",
    "b3",
    "uber-trace-id",
    "x-datadog-*",
    "x-newrelic-*",
    "newrelic",
    "sentry-trace",
    "baggage",
  ]),
  noise("names one request among many services", "W3C Trace Context", ["traceparent", "tracestate", "traceresponse"]),
  noise("names one try of a request", "draft-ietf-httpapi-idempotency-key-header; SDKs of OpenAI, Anthropic, Stripe", [
    "idempotency-key",
    "x-stainless-retry-count",
    "x-client-request-id",
    "x-goog-gcs-idempotency-token",
    "amz-sdk-invocation-id",
    "amz-sdk-request",
  ]),
  noise("a signature over the time of asking", "AWS Signature Version 4", [
    "x-amz-date",
    "x-amz-security-token",
    "x-amz-content-sha256",
  ]),
];

/** Edges that answer for others. */
const edges: readonly HeaderRule[] = [
  signal("whether a cache answered", "Cloudflare, RFC 9211, Vercel, Netlify, Akamai, nginx", [
    "cf-cache-status",
    "cache-status",
    "cdn-cache",
    "x-vercel-cache",
    "x-nextjs-cache",
    "x-proxy-cache",
    "x-cache-status",
    "x-drupal-cache",
    "x-nf-cache",
  ]),
  noise("names one request, and the edge that took it", "Cloudflare", ["cf-ray", "cf-request-id", "cf-apo-via"]),
  noise("how often each cache answered before", "Fastly, Varnish", [
    "x-cache-hits",
    "x-varnish",
    "fastly-debug-*",
    "x-fastly-*",
  ]),
  noise("names one request, and the edge that took it", "Amazon CloudFront", ["x-amz-cf-id", "x-amz-cf-pop"]),
  noise("names one request, and the edge that took it", "Akamai", [
    "x-akamai-request-id",
    "x-akamai-*-timing",
    "akamai-grn",
    "akamai-request-bc",
    "akamai-cache-status-detail",
    "x-cache-key",
    "x-cache-remote",
    "x-check-cacheable",
    "x-true-cache-key",
  ]),
  noise("names one request, and the edge that took it", "Azure Front Door", [
    "x-azure-ref",
    "x-azure-ref-originshield",
    "x-fd-int-roxy-purgeid",
    "x-msedge-ref",
  ]),
  noise("names one request, and the edge that took it", "Vercel, Netlify, Fly.io, Render, Railway, Heroku, Bunny", [
    "x-vercel-id",
    "x-nf-request-id",
    "fly-request-id",
    "x-render-origin-server",
    "rndr-id",
    "x-railway-request-id",
    "x-railway-edge",
    "cdn-requestid",
    "cdn-requestpullcode",
    "cdn-requestpullsuccess",
    "cdn-requesttime",
    "cdn-cachedat",
    "cdn-edgestorageid",
    "cdn-proxyver",
    "x-hw",
    "x-77-*",
    "x-iinfo",
    "x-sucuri-id",
  ]),
  noise("which of many equal machines answered", "common use", [
    "x-served-from",
    "x-backend",
    "x-backend-server",
    "x-server",
    "x-hostname",
    "x-host",
    "x-node",
    "x-pod-name",
    "x-instance",
    "x-instance-id",
    "x-edge-location",
    "x-edge-ip",
  ]),
];

/** Clouds. */
const clouds: readonly HeaderRule[] = [
  noise("names one request", "AWS: common response headers", [
    "x-amzn-requestid",
    "x-amzn-request-id",
    "x-amz-request-id",
    "x-amz-id-2",
    "x-amzn-trace-id",
    "x-amz-apigw-id",
    "x-amzn-remapped-date",
    "x-amzn-remapped-content-length",
  ]),
  noise("names one request", "Google Cloud: X-Cloud-Trace-Context, Cloud Storage, Media CDN", [
    "x-cloud-trace-context",
    "x-guploader-uploadid",
  ]),
  noise("names one request", "Microsoft: Azure REST API common headers, Graph", [
    "x-ms-request-id",
    "x-ms-client-request-id",
    "x-ms-correlation-request-id",
    "x-ms-routing-request-id",
    "x-ms-ags-diagnostic",
    "x-ms-activity-id",
    "apim-request-id",
    "x-azure-requestid",
    "client-request-id",
  ]),
  noise("where and how fast it was served", "Azure, Azure OpenAI", [
    "x-ms-region",
    "x-ms-served-model-region",
    "x-ms-backend-latency",
    "x-envoy-*",
    "azureml-model-session",
    "x-ms-rai-invoked-*",
    "x-ms-throttle-*",
  ]),
  noise("a counter of what is left", "Azure Resource Manager", ["x-ms-ratelimit-remaining-*"]),
];

/** Makers of models. */
const models: readonly HeaderRule[] = [
  noise("how long it took", "OpenAI, Cohere, Bedrock, Hugging Face text-generation-inference", [
    "openai-processing-ms",
    "x-debug-trace-id",
    "x-compute-time",
    "x-compute-type",
    "x-total-time",
    "x-inference-time",
    "x-amzn-bedrock-invocation-latency",
    "x-queue-time",
    "x-time-per-token",
    "x-validation-time",
  ]),
  noise("names one request", "Mistral, OpenRouter, LiteLLM, Kong", [
    "mistral-correlation-id",
    "x-kong-request-id",
    "x-generation-id",
    "x-litellm-call-id",
    "x-litellm-response-duration-ms",
    "x-litellm-overhead-duration-ms",
    "x-litellm-response-cost",
    "x-litellm-key-spend",
  ]),
  noise("how long each proxy took", "Kong, Envoy", [
    "x-kong-proxy-latency",
    "x-kong-upstream-latency",
    "kong-*-latency",
  ]),
  noise("a counter of what is left", "OpenAI, Groq, GitHub, RFC draft RateLimit header fields", [
    "x-ratelimit-remaining*",
    "x-ratelimit-reset*",
    "x-ratelimit-used*",
    "x-ratelimit-over-limit*",
    "x-rate-limit-remaining*",
    "x-rate-limit-reset*",
    "ratelimit",
    "ratelimit-remaining*",
    "ratelimit-reset*",
    "ratelimitbysize-remaining",
    "ratelimitbysize-reset",
    "x-ratelimitbysize-*",
  ]),
  noise("a counter of what is left", "Anthropic: rate limits", [
    "anthropic-ratelimit-*-remaining",
    "anthropic-ratelimit-*-reset",
    "anthropic-ratelimit-unified-*",
    "anthropic-fast-*-remaining",
    "anthropic-fast-*-reset",
  ]),
  noise("which organisation's key asked", "Anthropic, OpenAI: an account, not an answer", [
    "anthropic-organization-id",
    "openai-organization",
    "openai-project",
  ]),
];

/** Frameworks and servers. */
const frameworks: readonly HeaderRule[] = [
  noise("how long it took", "Rails, ASP.NET, Laravel, Express response-time, Elasticsearch, uvicorn", [
    "x-runtime",
    "x-runtime-*",
    "x-response-time",
    "x-process-time",
    "x-processing-time",
    "x-execution-time",
    "x-elapsed-time",
    "x-elapsed",
    "x-duration",
    "x-took",
    "x-render-time",
    "x-request-time",
    "x-request-start",
    "x-queue-start",
    "x-upstream-*-time",
    "x-backend-response-time",
    "x-response-duration",
    "x-app-time",
    "x-generated-at",
    "x-timestamp",
    "x-server-time",
  ]),
  noise("a token against forged requests, drawn anew", "Laravel, Angular, Django", [
    "x-csrf-token",
    "x-xsrf-token",
    "csrf-token",
  ]),
  noise("names one page, for a debugger", "Symfony, Laravel", ["x-debug-token", "x-debug-token-link"]),
];

/** All lines; of two that fit a header, the first decides. */
export const headerRules: readonly HeaderRule[] = [
  ...paper,
  ...http,
  ...ids,
  ...edges,
  ...clouds,
  ...models,
  ...frameworks,
];
