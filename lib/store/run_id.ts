/**
 * The names of runs.
 *
 * @module
 */

/**
 * Makes a run's id: `20261120-091233-k3f9` sorts by time, and its end keeps two recorders of one second apart.
 *
 * @param now When the run begins.
 */
export function newRunId(now: Date): string {
  const digits = now.toISOString().replace(/\D/g, "");
  const random = [...crypto.getRandomValues(new Uint8Array(4))].map((byte) => (byte % 36).toString(36)).join("");
  return `${digits.slice(0, 8)}-${digits.slice(8, 14)}-${random}`;
}
