/** The live world: a loopback server that answers as the internet does, never twice alike. */

import { randomUUID } from "node:crypto";
import { createServer as createPlainServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import type { Answer, Call } from "./answer.ts";
import { createClock } from "./clock.ts";
import { type DelayTable, drawDelayMs, schedule, toDelayTable } from "./delays.ts";
import { answerCall } from "./routes.ts";
import { createSampler } from "./sampler.ts";
import { sendAnswer } from "./send.ts";

/** How a world is started. */
export interface WorldOptions {
  /** The private key for `localhost`, as PEM; unused when `plain`. */
  readonly key: string;
  /** The certificate chain for `localhost`, as PEM; unused when `plain`. */
  readonly cert: string;
  /**
   * `true` to be as slow as the paper's world, a table to be as slow as one likes.
   *
   * @default false
   */
  readonly delays?: boolean | DelayTable;
  /** Makes the answers, dates included, follow from the order of the requests. */
  readonly seed?: number;
  /**
   * HTTP instead of HTTPS.
   *
   * @default false
   */
  readonly plain?: boolean;
}

/** A world that runs; disposing of it cuts what is under way and waits until nothing of it is left. */
export interface World extends AsyncDisposable {
  /** `https://localhost:PORT`. */
  readonly origin: string;
  /** How many requests it has received, whatever it answered. */
  requests(): number;
}

/** Longer than any pause between two runs of a benchmark, so that no kept-alive connection dies under one. */
const keepAliveMs = 60_000;

/** Where the time of a seeded world begins. */
const seededEpochMs = Date.UTC(2026, 10, 20, 9);

/**
 * Starts a world on a free port of 127.0.0.1.
 *
 * @param options The certificate to show, and how slow and how reproducible to be.
 * @returns The world, listening.
 */
export async function startWorld(options: WorldOptions): Promise<World> {
  const world = new LiveWorld(options);
  await world.listen();
  return world;
}

class LiveWorld implements World {
  readonly #options: WorldOptions;
  readonly #server: Server;
  readonly #delays: DelayTable;
  readonly #seed: string;
  readonly #readClock: () => Date;
  readonly #ending = new AbortController();
  readonly #underWay = new Set<Promise<void>>();
  #requests = 0;

  constructor(options: WorldOptions) {
    const { seed } = options;
    this.#options = options;
    this.#delays = toDelayTable(options.delays);
    this.#seed = seed === undefined ? randomUUID() : String(seed);
    this.#readClock = createClock(seed === undefined ? Date.now : () => seededEpochMs);
    this.#server = createServer(options, (request, response) => this.#accept(request, response));
  }

  get origin(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `${this.#options.plain ? "http" : "https"}://localhost:${port}`;
  }

  requests(): number {
    return this.#requests;
  }

  async listen(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#server.once("error", reject).listen(0, "127.0.0.1", resolve);
    await promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#ending.abort();
    this.#server.close(() => resolve());
    this.#server.closeAllConnections();
    await Promise.all([promise, ...this.#underWay]);
  }

  #accept(request: IncomingMessage, response: ServerResponse): void {
    const exchange = this.#exchange(request, response).catch(() => void response.destroy());
    this.#underWay.add(exchange);
    void exchange.then(() => this.#underWay.delete(exchange));
  }

  async #exchange(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const luck = `${this.#seed}:${this.#requests++}`;
    const now = this.#readClock();
    const body = await readText(request);
    const answer = dated(answerCall(this.#toCall(request, { body, now, sample: createSampler(luck) })), now);
    const totalMs = drawDelayMs(this.#delays, answer.exchange, createSampler(`${luck}:pace`));
    await sendAnswer(response, answer, {
      atMs: schedule(totalMs, answer.writes.length),
      signal: this.#ending.signal,
    });
  }

  #toCall(request: IncomingMessage, drawn: Pick<Call, "body" | "now" | "sample">): Omit<Call, "params"> {
    const { method = "GET", url = "/", headers } = request;
    return { ...drawn, method, headers, url: new URL(url, this.origin) };
  }
}

function createServer(options: WorldOptions, answer: (req: IncomingMessage, res: ServerResponse) => void): Server {
  const { key, cert, plain } = options;
  const server = plain ? createPlainServer(answer) : createTlsServer({ key, cert }, answer);
  server.keepAliveTimeout = keepAliveMs;
  // Under Deno each small write would else wait for the acknowledgement of the one before (44 ms).
  server.on(plain ? "connection" : "secureConnection", (socket: Socket) => socket.setNoDelay(true));
  return server;
}

function dated(answer: Answer, now: Date): Answer {
  return { ...answer, headers: [["date", now.toUTCString()], ...answer.headers] };
}

async function readText(request: IncomingMessage): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of request) text += decoder.decode(chunk, { stream: true });
  return text + decoder.decode();
}
