/**
 * A stand-in for the internet on loopback: a language model, a JSON API, a search engine, a page behind a CDN.
 *
 * Takes: a certificate for `localhost`, how slow to be, and a seed when answers are to be reproducible.
 * Gives: a world that listens, knows its origin and counts its requests.
 * Never: answers twice alike, sends anything to anyone but who asked, listens beyond 127.0.0.1.
 * Invariant: what is answered to the n-th request follows from the seed, n and the request.
 *
 * @module
 */

export { startWorld, type World, type WorldOptions } from "./world.ts";
export { type DelayTable, type Exchange, paperDelays } from "./delays.ts";
