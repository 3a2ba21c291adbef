/**
 * Where the preload is, for whoever starts a Deno with it.
 *
 * @module
 */

/** The preload's URL, in a checkout as in a package. */
export const preloadModule: string = import.meta.resolve("./preload.ts");

/**
 * Loads the preload into this very process, which nobody does: but since it stands here, Deno downloads the module with
 * agrepl's own, and a child finds it in the cache.
 *
 * @throws {TypeError} when the variable `AGREPL_PRELOAD` holds no order.
 */
export async function loadPreload(): Promise<void> {
  await import("./preload.ts");
}
