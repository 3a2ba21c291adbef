/**
 * From a key to the recorded step that answers it.
 *
 * Takes keys; gives a hit or a miss. Never reads a step, never invents one. Invariant: each step is served once, equal
 * keys in the order of recording, whatever the order of different keys.
 *
 * @module
 */
export * from "./lookup.ts";
