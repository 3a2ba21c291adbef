/**
 * The five workloads of the paper's evaluation, as programs and as functions.
 *
 * Takes: the origin of a world, and a key for its language model.
 * Gives: a text per run that depends on everything the world answered.
 * Never: knows of agrepl, asks for anything that does not follow from its input and the answers so far.
 * Invariant: equal answers make equal requests and an equal text.
 *
 * @module
 */

export type { RunWorkload, WorkloadOptions } from "./workload.ts";
export { type Workload, workloads } from "./workloads.ts";
