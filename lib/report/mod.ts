/**
 * Values made readable: text for a terminal, JSON for a program.
 *
 * Takes what other rooms found out; gives strings and JSON values. Never writes anywhere, never asks for the time.
 * Invariant: whatever a trace holds, what comes out is safe to print.
 *
 * @module
 */
export * from "./diff_json.ts";
export * from "./diff_markdown.ts";
export * from "./diff_report.ts";
export * from "./doctor_report.ts";
export * from "./frames.ts";
export * from "./housekeeping_report.ts";
export * from "./learn_report.ts";
export * from "./miss_report.ts";
export * from "./paint.ts";
export * from "./record_report.ts";
export * from "./replay_report.ts";
export * from "./run_list.ts";
export * from "./scan_report.ts";
export * from "./text.ts";
export * from "./trace_report.ts";
export * from "./why_report.ts";
export * from "./usage_error.ts";
