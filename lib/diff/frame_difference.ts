/**
 * Where two WebSockets carried something else, each direction for itself: which side spoke first is a matter of time.
 *
 * @module
 */
import { bodyDifference, streamDeltas } from "./body_difference.ts";
import { bytesDifference } from "./_bytes_difference.ts";
import { alignByKey, gapsOf } from "./align.ts";
import type { ComparedBody, ComparedFrame } from "./compared.ts";
import type { MemberVerdict } from "./rules.ts";
import { parseJsonLines } from "./event_stream.ts";
import { type Delta, keptCharacters } from "./tier.ts";

interface Message {
  /** RFC 6455, 5.2: 1 for text, 2 for binary, 8 for the end. */
  readonly opcode: number;
  readonly body: ComparedBody;
}

/**
 * Compares what two WebSockets carried: messages put together from their frames, and the close; pings are left out.
 * Where all messages of a direction are JSON they are events of a stream, put together again.
 *
 * @param a What passed on the first.
 * @param b What passed on the second.
 * @param verdict What of a message in JSON is noise.
 * @returns What differs; the fields are called `client message 0`, `server event 2 #/x`, `server streamed …`,
 * `server close`.
 */
export function frameDifference(
  a: readonly ComparedFrame[],
  b: readonly ComparedFrame[],
  verdict: MemberVerdict,
): Delta[] {
  return (["client", "server"] as const).flatMap((from) => {
    const [first, second] = [messagesOf(a, from), messagesOf(b, from)];
    const options = { part: from === "client" ? "request" : "response", verdict } as const;
    const data = [first, second].map((messages) => messages.filter(({ opcode }) => opcode !== 8));
    const [eventsA, eventsB] = data.map(eventsOf);
    const events = eventsA && eventsB ? streamDeltas(eventsA, eventsB, { ...options, name: from }) : null;
    const [dataA = [], dataB = []] = data;
    return [
      ...events ?? messageDeltas(dataA, dataB, { ...options, from }),
      ...closeDeltas(first.find(isClose), second.find(isClose), { ...options, from, number: 0 }),
    ];
  });
}

function isClose({ opcode }: Message): boolean {
  return opcode === 8;
}

/** `null` when a message is no JSON object. */
function eventsOf(messages: readonly Message[]): unknown[] | null {
  const events: unknown[] = [];
  for (const { opcode, body } of messages) {
    if (opcode !== 1 || body.text === null || !body.text.startsWith("{")) return null;
    const [event] = parseJsonLines(body.text.replace(/\r?\n/g, " "));
    if (typeof event !== "object") return null;
    events.push(event);
  }
  return events;
}

function messageDeltas(a: readonly Message[], b: readonly Message[], direction: Direction): Delta[] {
  const keys = (messages: readonly Message[]) => messages.map(({ opcode, body }, at) => `${opcode} ${body.text ?? at}`);
  const alignment = alignByKey(keys(a), keys(b));
  const places = [...alignment.pairs.map((pair) => [pair.a, pair.b] as const), ...gapsOf(alignment).flatMap(inOrder)];
  return places.sort(([x, y], [z, w]) => (x ?? y ?? 0) - (z ?? w ?? 0)).flatMap(([i, j]) => {
    const [first, second] = [i === undefined ? undefined : a[i], j === undefined ? undefined : b[j]];
    return messageDifference(first, second, { ...direction, number: i ?? j ?? 0 });
  });
}

function inOrder({ onlyA, onlyB }: { readonly onlyA: readonly number[]; readonly onlyB: readonly number[] }) {
  const length = Math.max(onlyA.length, onlyB.length);
  return Array.from({ length }, (_, at): readonly [number | undefined, number | undefined] => [onlyA[at], onlyB[at]]);
}

function messagesOf(frames: readonly ComparedFrame[], from: "client" | "server"): Message[] {
  const messages: Message[] = [];
  for (const frame of frames) {
    if (frame.from !== from || frame.opcode === 9 || frame.opcode === 10) continue;
    const open = frame.opcode === 0 ? messages.pop() : undefined;
    messages.push(open === undefined ? frame : { opcode: open.opcode, body: joined(open.body, frame.body) });
  }
  return messages;
}

function joined(a: ComparedBody, b: ComparedBody): ComparedBody {
  return {
    bytes: a.bytes + b.bytes,
    text: a.text === null || b.text === null ? null : a.text + b.text,
    pieces: function* () {
      yield* a.pieces();
      yield* b.pieces();
    },
  };
}

interface Direction {
  readonly from: "client" | "server";
  readonly part: "request" | "response";
  readonly verdict: MemberVerdict;
}

interface MessagePlace extends Direction {
  readonly number: number;
}

function messageDifference(a: Message | undefined, b: Message | undefined, place: MessagePlace): Delta[] {
  const { from, number, part, verdict } = place;
  const name = `${from} message ${number}`;
  if (a === undefined || b === undefined || a.opcode !== b.opcode) {
    const why = "only one run has this message, or of another kind";
    return [{ part, field: name, a: shown(a), b: shown(b), tier: "signal", why }];
  }
  if (a.opcode === 2) return bytesDifference(a.body, b.body, { part, name });
  return bodyDifference({ headers: [], body: a.body }, { headers: [], body: b.body }, { part, name, verdict });
}

/** A code of two bytes, and a reason (RFC 6455, 5.5.1). */
function closeDeltas(a: Message | undefined, b: Message | undefined, { from, part }: MessagePlace): Delta[] {
  const [first, second] = [a && closeOf(a.body), b && closeOf(b.body)];
  if (first === second) return [];
  const values = { a: first ?? null, b: second ?? null };
  return [{ part, field: `${from} close`, ...values, tier: "signal", why: "how the WebSocket was closed" }];
}

function closeOf(body: ComparedBody): string {
  const bytes = [...body.pieces()].flatMap((piece) => [...piece]);
  if (bytes.length < 2) return "no code";
  const reason = new TextDecoder().decode(Uint8Array.from(bytes.slice(2)));
  return `${(bytes[0] ?? 0) * 256 + (bytes[1] ?? 0)} ${reason}`.trim();
}

function shown(message: Message | undefined): string | null {
  if (message === undefined) return null;
  const { opcode, body } = message;
  return opcode === 1 && body.text !== null ? body.text.slice(0, keptCharacters) : `${body.bytes} bytes`;
}
