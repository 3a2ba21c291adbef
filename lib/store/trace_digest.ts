/**
 * The address of a trace's content, computed anew.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { resolve } from "node:path";
import { parseLine, TraceFormatError } from "../step/mod.ts";
import { LineSource, type ScannedLine } from "./_line_source.ts";

/**
 * Computes a trace's digest: SHA-256 over all complete lines before its end line.
 *
 * @param path The trace's file.
 * @returns `sha256:<64 hex>`.
 * @throws {Deno.errors.NotFound} when there is no such file.
 */
export function digestBeforeEnd(path: string): string {
  const source = new LineSource(resolve(path), path);
  const hash = createHash("sha256");
  try {
    for (const scanned of source.lines()) {
      if (!scanned.line.whole || isEnd(source, scanned)) break;
      hash.update(source.read(scanned.line)).update("\n"); // bytes, not text: text that is no UTF-8 must not look alike
    }
  } finally {
    source.close();
  }
  return `sha256:${hash.digest("hex")}`;
}

function isEnd(source: LineSource, { line, start }: ScannedLine): boolean {
  if (/^\{"kind":"(?:trace|step|more)",/.test(start)) return false;
  try {
    return parseLine(source.text(line), source.place(line)).kind === "end";
  } catch (error) {
    if (error instanceof TraceFormatError) return false; // damaged, so not what was written: it counts
    throw error;
  }
}
