/**
 * Runs of one agent against a world in which nothing changes but what edges, vendors and clocks stamp on everything.
 * It follows from seeds alone, and knows nothing of the taxonomy: names and values are those that services send.
 *
 * @module
 */
import { compileRules, requestKey } from "../../lib/key/mod.ts";
import { defaultKeyRules, type Header, type Step } from "../../lib/step/mod.ts";
import { edgeHeaders, proxyHeaders, requestId } from "../world/cdn.ts";
import { alphanumeric, createSampler, hexadecimal, type Sampler } from "../world/sampler.ts";

/** What a run is drawn from: what is said, and what is stamped on it. */
export interface RunSeeds {
  readonly content: string;
  readonly noise: string;
}

interface Luck {
  /** The same in both runs of a pair. */
  readonly content: Sampler;
  /** Another in each run. */
  readonly noise: Sampler;
  readonly now: Date;
}

interface Exchange {
  readonly method: string;
  readonly url: string;
  readonly type: Step["type"];
  readonly headers: readonly Header[];
  readonly body: string;
  readonly answer: { readonly headers: readonly Header[]; readonly body: string };
}

const rules = compileRules(defaultKeyRules, { cwd: "/work", home: "/home/me" });
const cities = ["Accra", "Bergen", "Cusco", "Dakar", "Essen", "Faro"];
const words = ["tide", "clock", "lantern", "harbour", "signal", "north", "quiet", "river", "stone", "winter", "engine"];

/** Makes one run: seven steps, one after the other. */
export function restlessRun({ content, noise }: RunSeeds): Step[] {
  const stamps = createSampler(noise);
  const now = new Date(Date.UTC(2026, 3, 18, 8) + stamps.int(0, 86_400_000));
  const luck: Luck = { content: createSampler(content), noise: stamps, now };
  const call = `call_${stamps.text(24, alphanumeric)}`;
  const city = luck.content.pick(cities);
  const exchanges = [
    page(luck),
    user(luck),
    toolCall(luck, { call, city }),
    summary(luck, { call, city }),
    message(luck),
    search(luck),
    object(luck),
  ];
  return exchanges.map((exchange, seq) => toStep(exchange, { seq, luck }));
}

function toStep(exchange: Exchange, { seq, luck }: { readonly seq: number; readonly luck: Luck }): Step {
  const { method, url, type, headers, body, answer } = exchange;
  const encoder = new TextEncoder();
  const date: Header = ["Date", new Date(luck.now.getTime() + seq * 1000).toUTCString()];
  return {
    kind: "step",
    seq,
    type,
    key: requestKey({ method, url, contentType: "application/json", body: encoder.encode(body) }, rules),
    timestamp: new Date(luck.now.getTime() + seq * 1000).toISOString(),
    latencyMs: luck.noise.int(20, 900),
    ttfbMs: luck.noise.int(5, 19),
    request: { method, url, httpVersion: "1.1", headers, body: body === "" ? null : { text: body } },
    response: {
      status: 200,
      statusText: "OK",
      httpVersion: "1.1",
      headers: [date, ...answer.headers],
      body: { text: answer.body },
      chunks: [[10, encoder.encode(answer.body).length]],
      trailers: [],
      end: "complete",
    },
  };
}

function sentence({ content }: Luck, length: number): string {
  return Array.from({ length }, () => content.pick(words)).join(" ");
}

/** A page behind a caching edge. */
function page(luck: Luck): Exchange {
  const { noise, now } = luck;
  const call = {
    method: "GET",
    url: new URL("https://pages.example"),
    params: {},
    headers: {},
    body: "",
    now,
    sample: noise,
  };
  const body = `<!doctype html>\n<title>About</title>\n<p>${sentence(luck, 12)}</p>\n<p>${sentence(luck, 9)}</p>\n`;
  const cookie: Header[] = noise.fraction() < 0.2
    ? [["Set-Cookie", `session=${noise.text(32, alphanumeric)}; Path=/`]]
    : [];
  return {
    method: "GET",
    url: "https://pages.example/about",
    type: "HTTP",
    headers: [["Host", "pages.example"], ["Accept", "*/*"], ["traceparent", `00-${noise.text(32, hexadecimal)}-01`]],
    body: "",
    answer: {
      headers: [
        ["Content-Type", "text/html; charset=utf-8"],
        ["Server", "GitHub.com"],
        ["X-Cache", "HIT"],
        ["X-Cache-Hits", String(noise.int(1, 99))],
        ["X-GitHub-Request-Id", noise.text(20, hexadecimal)],
        ["Expires", new Date(now.getTime() + 600_000).toUTCString()],
        ...edgeHeaders(call),
        ...cookie,
      ],
      body,
    },
  };
}

/** A REST answer behind a proxying edge. */
function user(luck: Luck): Exchange {
  const { content, noise, now } = luck;
  const value = {
    id: content.int(1, 999),
    name: content.pick(["Ada", "Bjørn", "Chiara"]),
    tags: [content.pick(words), "alpha", "beta", "gamma"],
    balance: { cents: content.int(1, 99_999), currency: "EUR" },
    request_id: `req_${noise.text(24, hexadecimal)}`,
    served_at: now.toISOString(),
  };
  return {
    method: "GET",
    url: `https://api.example/users/${content.int(1, 9)}`,
    type: "HTTP",
    headers: [["host", "api.example"]],
    body: "",
    answer: {
      headers: [
        ["content-type", "application/json"],
        ["etag", `W/"${noise.text(32, hexadecimal)}"`],
        ["x-ratelimit-limit", "5000"],
        ["x-ratelimit-remaining", String(noise.int(1, 4999))],
        ["x-ratelimit-reset", String(noise.int(1_776_000_000, 1_779_000_000))],
        ["x-runtime", (noise.int(1000, 9000) / 1e6).toFixed(6)],
        requestId(noise),
        ...proxyHeaders(noise),
      ],
      body: JSON.stringify(value),
    },
  };
}

interface Tool {
  readonly call: string;
  readonly city: string;
}

const chatUrl = "https://api.openai.com/v1/chat/completions";

function question(luck: Luck, city: string) {
  return { role: "user", content: `What of ${city}? ${sentence({ ...luck, content: createSampler(city) }, 6)}` };
}

/** A model that calls a tool. */
function toolCall(luck: Luck, { call, city }: Tool): Exchange {
  const { noise } = luck;
  const args = JSON.stringify({ city, id: "3f2b8c1e-0d4a-4b6f-9a77-2c5d1e8f9a10", unit: "celsius" });
  const answer = {
    ...completion(luck, "chat.completion"),
    choices: [{
      index: 0,
      message: {
        role: "assistant",
        content: null,
        tool_calls: [{ id: call, type: "function", function: { name: "weather", arguments: args } }],
      },
      finish_reason: "tool_calls",
    }],
    usage: { prompt_tokens: 40, completion_tokens: 12, prompt_tokens_details: { cached_tokens: noise.pick([0, 32]) } },
  };
  return {
    ...chat({ messages: [question(luck, city)] }),
    answer: { headers: [["content-type", "application/json"], ...openaiHeaders(noise)], body: JSON.stringify(answer) },
  };
}

/** The same model, told what the tool brought, as a stream: the id of the call is handed on. */
function summary(luck: Luck, { call, city }: Tool): Exchange {
  const { noise } = luck;
  const text = `In ${city} there is ${sentence(luck, 14)}.`;
  const head = completion(luck, "chat.completion.chunk");
  const event = (delta: unknown, finish: string | null = null) => {
    const choices = [{ index: 0, delta, finish_reason: finish }];
    return `data: ${JSON.stringify({ ...head, choices, obfuscation: noise.text(noise.int(2, 12), alphanumeric) })}\n\n`;
  };
  const pieces = inPieces(text, noise).map((content) => event({ content }));
  const body = [event({ role: "assistant", content: "" }), ...pieces, event({}, "stop"), "data: [DONE]\n\n"].join("");
  const called = { id: call, type: "function", function: { name: "weather", arguments: "{}" } };
  const messages = [
    question(luck, city),
    { role: "assistant", content: null, tool_calls: [called] },
    { role: "tool", tool_call_id: call, content: "7 degrees" },
  ];
  return {
    ...chat({ messages, stream: true }),
    answer: { headers: [["content-type", "text/event-stream; charset=utf-8"], ...openaiHeaders(noise)], body },
  };
}

function chat(request: Readonly<Record<string, unknown>>): Omit<Exchange, "answer"> {
  return {
    method: "POST",
    url: chatUrl,
    type: "LLM",
    headers: [["host", "api.openai.com"], ["content-type", "application/json"]],
    body: JSON.stringify({ model: "gpt-5", ...request }),
  };
}

function completion({ noise, now }: Luck, object: string) {
  return {
    id: `chatcmpl-${noise.text(29, alphanumeric)}`,
    object,
    created: Math.floor(now.getTime() / 1000),
    model: "gpt-5",
    system_fingerprint: `fp_${noise.text(10, hexadecimal)}`,
  };
}

function openaiHeaders(noise: Sampler): Header[] {
  return [
    ["openai-processing-ms", String(noise.int(80, 900))],
    ["x-envoy-upstream-service-time", String(noise.int(80, 900))],
    ["x-ratelimit-remaining-tokens", String(noise.int(1, 1_999_999))],
    ["x-ratelimit-reset-tokens", `${noise.int(1, 900)}ms`],
    requestId(noise),
    ...proxyHeaders(noise),
    ["alt-svc", noise.pick(['h3=":443"; ma=86400', 'h3=":443"; ma=93600'])],
  ];
}

function inPieces(text: string, noise: Sampler): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length;) {
    const length = noise.int(1, 9);
    pieces.push(text.slice(at, at + length));
    at += length;
  }
  return pieces;
}

/** Another vendor's stream: text, then a tool. */
function message(luck: Luck): Exchange {
  const { content, noise } = luck;
  const prompt = sentence(luck, 5);
  const text = sentence(luck, 10);
  const input = JSON.stringify({ query: content.pick(words), limit: content.int(1, 9) });
  const event = (type: string, value: Readonly<Record<string, unknown>>) =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...value })}\n\n`;
  const deltas = (index: number, type: string, name: string, whole: string) =>
    inPieces(whole, noise).map((piece) => event("content_block_delta", { index, delta: { type, [name]: piece } }));
  const id = `msg_01${noise.text(22, alphanumeric)}`;
  const tool = { type: "tool_use", id: `toolu_01${noise.text(22, alphanumeric)}`, name: "search", input: {} };
  const body = [
    event("message_start", { message: { id, role: "assistant", content: [], usage: { input_tokens: 9 } } }),
    event("content_block_start", { index: 0, content_block: { type: "text", text: "" } }),
    ...deltas(0, "text_delta", "text", text),
    event("content_block_stop", { index: 0 }),
    event("content_block_start", { index: 1, content_block: tool }),
    ...deltas(1, "input_json_delta", "partial_json", input),
    event("content_block_stop", { index: 1 }),
    event("message_delta", { delta: { stop_reason: "tool_use" }, usage: { output_tokens: 31 } }),
    event("message_stop", {}),
  ].join("");
  return {
    method: "POST",
    url: "https://api.anthropic.com/v1/messages",
    type: "LLM",
    headers: [["host", "api.anthropic.com"], ["x-stainless-retry-count", noise.pick(["0", "1"])]],
    body: JSON.stringify({ model: "claude", stream: true, messages: [{ role: "user", content: prompt }] }),
    answer: {
      headers: [
        ["content-type", "text/event-stream; charset=utf-8"],
        ["request-id", `req_${noise.text(24, alphanumeric)}`],
        ["anthropic-ratelimit-requests-remaining", String(noise.int(1, 4000))],
        ["anthropic-ratelimit-requests-reset", new Date(luck.now.getTime() + 60_000).toISOString()],
        ...proxyHeaders(noise),
      ],
      body,
    },
  };
}

/** A search that says how long it took. */
function search(luck: Luck): Exchange {
  const { content, noise } = luck;
  const hits = Array.from({ length: 4 }, (_, rank) => ({
    rank,
    title: `${content.pick(words)} ${content.int(1, 99)}`,
    snippet: sentence(luck, 8),
  }));
  return {
    method: "GET",
    url: "https://search.example/find?q=tide",
    type: "HTTP",
    headers: [["host", "search.example"]],
    body: "",
    answer: {
      headers: [
        ["content-type", "application/json"],
        ["server-timing", `db;dur=${noise.int(1, 90)}`],
        ["x-cloud-trace-context", `${noise.text(32, hexadecimal)}/${noise.int(1, 9e8)}`],
        ["x-azure-ref", noise.text(40, alphanumeric)],
        ["x-vercel-id", `fra1::${noise.text(5, hexadecimal)}-${noise.int(1e12, 2e12)}`],
        [
          "report-to",
          JSON.stringify({ group: "cf-nel", endpoints: [{ url: `https://a.nel.example/${noise.int(1, 9e6)}` }] }),
        ],
      ],
      body: JSON.stringify({ took: noise.int(1, 90), hits }),
    },
  };
}

/** A file of a cloud's store. */
function object(luck: Luck): Exchange {
  const { noise } = luck;
  return {
    method: "GET",
    url: "https://files.example/notes.txt",
    type: "HTTP",
    headers: [["host", "files.example"], ["x-amz-date", luck.now.toISOString().replace(/[-:]|\.\d+/g, "")]],
    body: "",
    answer: {
      headers: [
        ["content-type", "text/plain"],
        ["last-modified", "Sat, 18 Apr 2026 08:00:00 GMT"],
        ["x-amz-request-id", noise.text(16, alphanumeric)],
        ["x-amz-id-2", noise.text(56, alphanumeric)],
        ["x-amz-cf-id", noise.text(56, alphanumeric)],
        ["x-amz-cf-pop", `FRA${noise.int(1, 99)}-P${noise.int(1, 9)}`],
      ],
      body: `${sentence(luck, 10)}\n${sentence(luck, 10)}\n${sentence(luck, 10)}\n`,
    },
  };
}
