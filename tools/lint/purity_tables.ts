/**
 * What a pure folder may not reach, each with the part of the world that it is.
 *
 * @module
 */

/** Globals that may not be named at all. */
export const forbidden: ReadonlyMap<string, string> = spread({
  "the runtime": ["Deno", "Worker", "navigator"],
  "the network": ["fetch", "WebSocket", "WebSocketStream", "WebTransport", "EventSource", "XMLHttpRequest"],
  "a timer": [
    "setTimeout",
    "setInterval",
    "setImmediate",
    "clearTimeout",
    "clearInterval",
    "clearImmediate",
    "queueMicrotask",
  ],
  "the clock": ["performance"],
  "the console": ["console", "alert", "confirm", "prompt"],
  "the process": ["process", "BroadcastChannel"],
  "a store outside": ["localStorage", "sessionStorage", "caches", "indexedDB"],
});

/** Globals of which only these members may not be used. */
export const forbiddenMembers: Readonly<Record<string, ReadonlyMap<string, string>>> = {
  Date: spread({ "the clock": ["now"] }),
  Math: spread({ "randomness": ["random"] }),
  crypto: spread({ "randomness": ["randomUUID", "getRandomValues"] }),
  AbortSignal: spread({ "a timer": ["timeout"] }),
  Temporal: spread({ "the clock": ["Now"] }),
};

/** The names under which every global can be reached as a member. */
export const globalObjects: ReadonlySet<string> = new Set(["globalThis", "self", "window", "global"]);

/** Built-in modules, without `node:` and without what follows a slash. */
export const forbiddenModules: ReadonlyMap<string, string> = spread({
  "the disk": ["fs", "sqlite", "wasi"],
  "the network": ["net", "http", "https", "http2", "tls", "dgram", "dns", "inspector"],
  "a timer": ["timers"],
  "the clock": ["perf_hooks"],
  "the console": ["console", "readline", "repl", "tty"],
  "the process": ["process", "os", "child_process", "cluster", "worker_threads", "module", "vm", "v8", "async_hooks"],
});

/** Exports of `node:crypto` that two runs would see differ. */
export const randomExports: ReadonlySet<string> = new Set([
  "randomBytes",
  "randomFill",
  "randomFillSync",
  "randomInt",
  "randomUUID",
  "getRandomValues",
  "webcrypto",
  "generateKey",
  "generateKeySync",
  "generateKeyPair",
  "generateKeyPairSync",
  "generatePrime",
  "generatePrimeSync",
]);

function spread(table: Readonly<Record<string, readonly string[]>>): ReadonlyMap<string, string> {
  return new Map(Object.entries(table).flatMap(([what, names]) => names.map((name) => [name, what] as const)));
}
