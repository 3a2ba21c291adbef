/**
 * The dial: DNS, TCP, TLS and HTTP/1.1 or HTTP/2 towards the live network, through a proxy where the environment names one.
 *
 * Takes a request with its body still on the way; gives a response with its body still on the way, or an UpstreamError
 * that names the phase. Never records, never redacts, never reads the environment, never accepts a certificate that does
 * not verify, never tells a proxy's credentials to anybody else. Invariant: bytes and their boundaries come out as they
 * were read.
 *
 * @module
 */
export * from "./network_upstream.ts";
export * from "./options.ts";
export * from "./proxies.ts";
export * from "./stream_channel.ts";
