import type { Frame, FramePayload } from "../step/mod.ts";
import { finsOf, isControl, opcodes } from "../wire/mod.ts";

/** A frame that a recorded server sent. */
export interface ScriptedFrame {
  readonly atMs: number;
  readonly opcode: number;
  /** The last of its message. */
  readonly fin: boolean;
  readonly deflated: boolean;
  readonly payload: FramePayload;
  /** How many things must have come from the client before it goes out. */
  readonly after: number;
}

/** What a recorded client sent and a script waits for. */
export type ScriptedArrival =
  | { readonly kind: "message"; readonly opcode: number; readonly payloads: readonly FramePayload[] }
  | { readonly kind: "close" };

/** A recorded WebSocket as it is played: what the server sent, and what it had got by then. */
export interface SocketScript {
  readonly server: readonly ScriptedFrame[];
  readonly client: readonly ScriptedArrival[];
}

/** Turns recorded frames into a script (design: WebSocket). */
export function socketScript(frames: readonly Frame[]): SocketScript {
  const server: ScriptedFrame[] = [];
  const client: ScriptedArrival[] = [];
  const pings = new PingLog();
  let message: { readonly opcode: number; readonly payloads: FramePayload[] } | null = null;
  for (const { frame: [atMs, from, opcode, payload], fin } of withFins(inOrder(frames))) {
    if (from === "server") {
      // A live ping has its pong at once: the recorded one would be a second.
      if (opcode === opcodes.pong && pings.takeAnswered(textOf(payload))) continue;
      server.push({ atMs, opcode, fin, deflated: isDeflated(payload), payload, after: client.length });
    } else if (opcode === opcodes.ping) pings.add(textOf(payload));
    else if (opcode === opcodes.close) client.push({ kind: "close" });
    else if (!isControl(opcode)) {
      message ??= { opcode, payloads: [] };
      message.payloads.push(payload);
      if (fin) {
        client.push({ kind: "message", ...message });
        message = null;
      }
    }
  }
  return { server, client };
}

/** A message in fragments stands in the line that was written after its end; other messages have passed meanwhile. */
function inOrder(frames: readonly Frame[]): Frame[] {
  return frames.toSorted(([a], [b]) => a - b);
}

function withFins(frames: readonly Frame[]): { readonly frame: Frame; readonly fin: boolean }[] {
  const fins = (side: string) => finsOf(frames.filter(([, from]) => from === side).map(([, , opcode]) => opcode));
  const next = { client: fins("client").values(), server: fins("server").values() };
  return frames.map((frame) => ({ frame, fin: next[frame[1]].next().value ?? true }));
}

function isDeflated(payload: FramePayload): boolean {
  return payload !== null && "deflated" in payload;
}

/** Equal for equal payloads. */
function textOf(payload: FramePayload): string {
  return JSON.stringify(payload);
}

/** Pings that wait for their pongs. */
export class PingLog {
  #payloads: string[] = [];

  add(payload: string): void {
    this.#payloads.push(payload);
  }

  /** Tells whether a pong answers a ping; it answers those before that one, too (RFC 6455, 5.5.3). */
  takeAnswered(payload: string): boolean {
    const at = this.#payloads.indexOf(payload);
    this.#payloads = this.#payloads.slice(at + 1);
    return at !== -1;
  }
}
