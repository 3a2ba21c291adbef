/**
 * The version of this package, as its configuration states it.
 *
 * @module
 */
import config from "../../deno.json" with { type: "json" };

/** Semantic version: `0.1.0`. */
export const version: string = config.version;
