/**
 * One exchange: request in, response out; recorded, replayed, or one after the other.
 *
 * Takes requests from a door and an upstream to ask; gives answers to the door and steps to the store. Never listens and
 * never dials. Invariant: the live bytes go first, the copy is redacted before it is keyed or written, and a replay
 * without a fallback holds no way out to the network.
 *
 * @module
 */
export { announcesBody, contentEncoding } from "./_content.ts";
export * from "./compared_trace.ts";
export * from "./emission_meter.ts";
export * from "./exchange.ts";
export * from "./keep.ts";
export * from "./pass_through.ts";
export * from "./record.ts";
export * from "./replay.ts";
export * from "./requested_upgrade.ts";
export * from "./scan_step.ts";
export * from "./scrub_step.ts";
export * from "./stored_key.ts";
