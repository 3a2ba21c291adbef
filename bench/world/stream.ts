/** Server-sent events as a model's stream sends them. */

import type { Sampler } from "./sampler.ts";

const encoder = new TextEncoder();

/**
 * Cuts a text into the deltas of a stream.
 *
 * @param text Any text.
 * @param sample Draws the lengths.
 * @returns Pieces of 8 to 40 characters that make up the text again; no character is cut in two.
 */
export function toDeltas(text: string, sample: Sampler): readonly string[] {
  const characters = Array.from(text);
  const deltas: string[] = [];
  for (let at = 0; at < characters.length;) {
    const length = sample.int(8, 40);
    deltas.push(characters.slice(at, at + length).join(""));
    at += length;
  }
  return deltas;
}

/**
 * Encodes events as the writes of a stream.
 *
 * @param events One JSON value per event.
 * @returns One write per event; an event with a character of several bytes is two writes, cut inside the first such
 * character, since a network keeps no more to the bounds of characters than to those of events.
 */
export function toEventWrites(events: readonly unknown[]): readonly Uint8Array[] {
  return events.flatMap((event) => cutInCharacter(encoder.encode(`data: ${JSON.stringify(event)}\n\n`)));
}

/** The line that ends an OpenAI stream. */
export const doneEvent: Uint8Array = encoder.encode("data: [DONE]\n\n");

function cutInCharacter(bytes: Uint8Array): readonly Uint8Array[] {
  const lead = bytes.findIndex((byte) => byte >= 0xc0);
  return lead < 0 ? [bytes] : [bytes.subarray(0, lead + 1), bytes.subarray(lead + 1)];
}
