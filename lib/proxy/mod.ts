/**
 * The listening side: CONNECT, TLS with a certificate authority of its own, HTTP/1.1.
 *
 * @module
 */
export * from "./authority.ts";
