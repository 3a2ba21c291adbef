/**
 * Changes of meaning, one at a time, each with what a comparison has to say of it and nothing else.
 *
 * @module
 */
import { hexadecimal, type Sampler } from "../world/sampler.ts";
import type { Header, RecordedResponse, Step } from "../../lib/step/mod.ts";

/** What has to be found. */
export interface Expected {
  /** The step's number in the first run; in the second where the first has none. */
  readonly seq: number;
  /** The field; `only_a`, `only_b` or `moved` for a step as a whole. */
  readonly field: RegExp;
}

/** A kind of change. */
export interface Injection {
  readonly kind: string;
  readonly inject: (steps: readonly Step[], sample: Sampler) => { readonly steps: Step[]; readonly expected: Expected };
}

/** The steps of a restless run. */
const at = { page: 0, user: 1, toolCall: 2, summary: 3, message: 4, search: 5, object: 6 } as const;

function inResponse(
  seq: number,
  field: RegExp,
  change: (response: RecordedResponse, sample: Sampler) => Partial<RecordedResponse>,
): Injection["inject"] {
  return (steps, sample) => ({
    expected: { seq, field },
    steps: steps.map((step) =>
      step.seq !== seq || step.response === undefined
        ? step
        : { ...step, response: { ...step.response, ...change(step.response, sample) } }
    ),
  });
}

function textOf({ body }: RecordedResponse): string {
  return body !== null && "text" in body ? body.text : "";
}

function inText(seq: number, field: RegExp, change: (text: string, sample: Sampler) => string): Injection["inject"] {
  return inResponse(seq, field, (response, sample) => ({ body: { text: change(textOf(response), sample) } }));
}

type Members = Record<string, unknown>;

function inJson(seq: number, field: RegExp, change: (value: Members, sample: Sampler) => void): Injection["inject"] {
  return inText(seq, field, (text, sample) => {
    const value: Members = JSON.parse(text);
    change(value, sample);
    return JSON.stringify(value);
  });
}

function withHeader(headers: readonly Header[], name: string, value: string | null): Header[] {
  const rest = headers.filter(([each]) => each.toLowerCase() !== name);
  return value === null ? rest : [...rest, [name, value]];
}

function inHeader(seq: number, name: string, value: (sample: Sampler) => string | null): Injection["inject"] {
  return inResponse(seq, new RegExp(`^header ${name}$`), ({ headers }, sample) => ({
    headers: withHeader(headers, name, value(sample)),
  }));
}

/** Replaces the first small letter that a piece of a stream carries, by the name of the member that carries it. */
function inStream(seq: number, field: RegExp, member: string): Injection["inject"] {
  return inText(seq, field, (text) => {
    const events = text.split("\n\n");
    const piece = new RegExp(`("${member}":"(?:[^"\\\\]|\\\\.)*?)(?<!\\\\)[a-z]`);
    const at = events.findIndex((event) => piece.test(event));
    return events.map((event, index) => index === at ? event.replace(piece, "$1Q") : event).join("\n\n");
  });
}

function listOf(value: Members, name: string): unknown[] {
  const list = value[name];
  return Array.isArray(list) ? list : [];
}

function renumbered(steps: readonly Step[]): Step[] {
  return steps.map((step, seq) => ({ ...step, seq }));
}

/** Puts the times of steps in the order in which they stand, a second apart. */
function inTime(steps: readonly Step[]): Step[] {
  const start = Date.parse(steps[0]?.timestamp ?? "");
  return renumbered(steps).map((step) => ({ ...step, timestamp: new Date(start + step.seq * 1000).toISOString() }));
}

/** All kinds. */
export const injections: readonly Injection[] = [
  {
    kind: "status",
    inject: inResponse(at.page, /^status$/, (_, sample) => ({ status: sample.pick([301, 404, 429, 500, 503]) })),
  },
  { kind: "location added", inject: inHeader(at.page, "location", () => "https://elsewhere.example/") },
  { kind: "content type", inject: inHeader(at.page, "content-type", () => "text/html") },
  { kind: "cache state", inject: inHeader(at.page, "x-cache", () => "MISS") },
  {
    kind: "cache state, Cloudflare's",
    inject: inHeader(at.user, "cf-cache-status", (sample) => sample.pick(["HIT", "MISS"])),
  },
  { kind: "server", inject: inHeader(at.page, "server", () => "nginx") },
  { kind: "retry-after added", inject: inHeader(at.search, "retry-after", (sample) => String(sample.int(1, 60))) },
  { kind: "body word", inject: inText(at.page, /^body line 3$/, (text) => text.replace(/<p>\w+ /, "<p>zeppelin ")) },
  { kind: "body line added", inject: inText(at.object, /^body line \d$/, (text) => `${text}one more line\n`) },
  { kind: "body line removed", inject: inText(at.object, /^body line 1$/, (text) => text.replace(/^.*\n/, "")) },
  { kind: "JSON member added", inject: inJson(at.user, /^body #\/nickname$/, (value) => value["nickname"] = "Bo") },
  { kind: "JSON member removed", inject: inJson(at.user, /^body #\/name$/, (value) => delete value["name"]) },
  { kind: "JSON member changed", inject: inJson(at.user, /^body #\/id$/, (value) => value["id"] = 1000) },
  {
    kind: "JSON member changed, deep down",
    inject: inJson(at.user, /^body #\/balance$|^body #\/balance\/cents$/, (value, sample) => {
      value["balance"] = { cents: 100_000 + sample.int(0, 9), currency: "EUR" };
    }),
  },
  {
    kind: "JSON array in another order",
    inject: inJson(
      at.user,
      /^body #\/tags$/,
      (value) => value["tags"] = [...listOf(value, "tags").slice(1), ...listOf(value, "tags").slice(0, 1)],
    ),
  },
  {
    kind: "JSON array with one more",
    inject: inJson(at.search, /^body #\/hits\/\d$/, (value, sample) => {
      listOf(value, "hits").splice(sample.int(0, 4), 0, { rank: 9, title: "an advertisement", snippet: "buy" });
    }),
  },
  {
    kind: "JSON array with one less",
    inject: inJson(
      at.search,
      /^body #\/hits\/\d$/,
      (value, sample) => listOf(value, "hits").splice(sample.int(0, 3), 1),
    ),
  },
  {
    kind: "tool argument",
    inject: inText(
      at.toolCall,
      /^body #\/choices\/0\/message\/tool_calls\/0\/function\/arguments$/,
      (text) => text.replace("celsius", "kelvin"),
    ),
  },
  {
    kind: "tool argument that looks like an id",
    inject: inText(at.toolCall, /function\/arguments$/, (text) => text.replace("3f2b8c1e", "4f2b8c1e")),
  },
  {
    kind: "tool name",
    inject: inText(at.toolCall, /function\/name$/, (text) => text.replace('"name":"weather"', '"name":"climate"')),
  },
  {
    kind: "why the model ended",
    inject: inText(
      at.toolCall,
      /finish_reason$/,
      (text) => text.replace('"finish_reason":"tool_calls"', '"finish_reason":"length"'),
    ),
  },
  {
    kind: "model answer, streamed",
    inject: inStream(at.summary, /^body streamed choices\/0\/delta\/content$/, "content"),
  },
  {
    kind: "model answer of another vendor, streamed",
    inject: inStream(at.message, /^body streamed .*delta\/text$/, "text"),
  },
  {
    kind: "tool argument, streamed",
    inject: inStream(at.message, /^body streamed .*delta\/partial_json$/, "partial_json"),
  },
  {
    kind: "stream cut off",
    inject: inResponse(at.object, /^end$/, () => ({ end: "upstream_reset" })),
  },
  {
    kind: "network failed",
    inject: (steps) => ({
      expected: { seq: at.search, field: /^error$/ },
      steps: steps.map((step) => {
        if (step.seq !== at.search) return step;
        const { response: _, ...rest } = step;
        return { ...rest, error: { phase: "connect", code: "ECONNREFUSED", message: "refused" } } as const;
      }),
    }),
  },
  {
    kind: "step added",
    inject: (steps, sample) => {
      const place = sample.int(0, steps.length);
      const url = "https://new.example/asked";
      const added = steps.slice(0, 1).map((step) => ({
        ...step,
        key: sample.text(64, hexadecimal),
        request: { ...step.request, url },
      }));
      return { expected: { seq: place, field: /^only_b$/ }, steps: inTime(steps.toSpliced(place, 0, ...added)) };
    },
  },
  {
    kind: "step removed",
    inject: (steps, sample) => {
      const place = sample.int(0, steps.length - 1);
      return { expected: { seq: place, field: /^only_a$/ }, steps: inTime(steps.toSpliced(place, 1)) };
    },
  },
  {
    kind: "steps swapped",
    inject: (steps, sample) => {
      const place = sample.pick([0, 1, 4, 5]);
      const swapped = steps.toSpliced(place, 2, ...steps.slice(place, place + 2).reverse());
      return { expected: { seq: place, field: /^moved$/ }, steps: inTime(swapped) };
    },
  },
];
