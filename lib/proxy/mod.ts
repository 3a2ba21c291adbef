/**
 * The listening side: CONNECT, TLS with an authority of its own, HTTP/1.1 and HTTP/2; a sandbox's DNS stub and forwarder.
 *
 * Takes connections of loopback and of a sandbox; gives requests to the engine and its answers back. Never decides what an answer is,
 * never dials, never listens beyond loopback. Invariant: what goes out is metered where it goes out, and a client that
 * is not answered is told why or disconnected.
 *
 * @module
 */
export * from "./authority.ts";
export * from "./client_hello.ts";
export * from "./forwarder.ts";
export * from "./forwarder_words.ts";
export * from "./local_relay.ts";
export * from "./proxy.ts";
