import type { Frame } from "../step/mod.ts";
import { isControl, opcodes } from "../wire/mod.ts";

/** The frames of each message, by their places; a control frame is one of its own. */
export function messagesOf(frames: readonly Frame[]): number[][] {
  const messages: number[][] = [];
  const open: Record<Frame[1], number[] | null> = { client: null, server: null };
  for (const [at, [, from, opcode]] of frames.entries()) {
    const going = isControl(opcode) ? null : open[from];
    if (opcode === opcodes.continuation && going !== null) going.push(at);
    else {
      const message = [at];
      messages.push(message);
      if (!isControl(opcode)) open[from] = message;
    }
  }
  return messages;
}
