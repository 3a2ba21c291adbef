/** What a process holds in memory, as Linux counts it. */

/** Resident memory in bytes. */
export interface ProcessMemory {
  /** Now. */
  readonly residentBytes: number;
  /** The most there has been. */
  readonly peakBytes: number;
}

/**
 * Reads a process's memory from `/proc`.
 *
 * @param pid The process, or `"self"`.
 * @returns Its resident memory, now and at its peak.
 * @throws {Deno.errors.NotFound} when there is no such process, or no `/proc`.
 */
export function readProcessMemory(pid: number | "self"): ProcessMemory {
  const status = Deno.readTextFileSync(`/proc/${pid}/status`);
  const kilobytes = (name: string) => Number(new RegExp(`^${name}:\\s*(\\d+) kB$`, "m").exec(status)?.[1]);
  return { residentBytes: kilobytes("VmRSS") * 1024, peakBytes: kilobytes("VmHWM") * 1024 };
}
