import type { ResponseSink } from "./exchange.ts";

/** Tells whether an answer can stop: its client is gone, and nobody keeps it. */
export function nobodyReads({ closed, witness }: ResponseSink): boolean {
  return closed && witness === undefined;
}
