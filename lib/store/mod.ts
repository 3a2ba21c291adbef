/**
 * Files: the runs of a project, their traces, their large bodies.
 *
 * Takes steps and bytes; gives them back by run. Never reads a network but for a remote store that it is led to, never
 * writes outside its root, never decides what matches. Invariant: a line that was appended survives a kill; files are 0600 in folders 0700; an id or digest
 * that could leave the root is refused before it becomes a path.
 *
 * @module
 */
export * from "./body_reader.ts";
export * from "./body_spool.ts";
export * from "./cassette.ts";
export * from "./config.ts";
export * from "./export.ts";
export * from "./housekeeping.ts";
export * from "./layout.ts";
export * from "./named_digests.ts";
export { inParallel, RemoteBucket, type RemoteObject, type RemoteSource } from "./remote_bucket.ts";
export * from "./remote_pull.ts";
export * from "./remote_settings.ts";
export * from "./remote_share.ts";
export * from "./remote_store_error.ts";
export * from "./run_id.ts";
export * from "./run_ref.ts";
export * from "./store.ts";
export * from "./trace_digest.ts";
export * from "./trace_file.ts";
export * from "./trace_not_found_error.ts";
export * from "./trace_rewrite.ts";
export * from "./trace_writer.ts";
