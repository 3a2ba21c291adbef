/**
 * Two things held against each other: an emission and what was stored, a request and the steps it came near.
 *
 * Takes recorded and live values; gives verdicts and differences. Never reads, serves or prints. Invariant: a thing held
 * against itself gives no difference.
 *
 * @module
 */
export * from "./explain_message.ts";
export * from "./explain_miss.ts";
export * from "./fidelity.ts";
export * from "./request_difference.ts";
