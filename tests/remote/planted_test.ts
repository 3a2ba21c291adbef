/** A thousand secrets of twenty kinds, in every place that a step has: none may be in any byte that is written. */

import { Buffer } from "node:buffer";
import { deepEqual, equal, ok } from "node:assert/strict";
import { createHash } from "node:crypto";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { pullRun, shareRun, Store } from "../../lib/store/mod.ts";
import { assertFaithful, Rig } from "../support/rig.ts";
import { ThrowawayStore } from "../support/throwaway_store.ts";
import { S3Server } from "./s3_server.ts";
import { filesOf } from "./shared_store.ts";

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** A random text of an alphabet, the same for the same seed; a letter and a digit are always in it. */
function randomText(seed: string, length: number, alphabet = letters): string {
  const bytes = [...Array(Math.ceil(length / 32)).keys()].flatMap((at) => [
    ...createHash("sha256").update(`${seed} ${at}`).digest(),
  ]);
  const text = bytes.slice(0, length - 2).map((byte) => alphabet[byte % alphabet.length]).join("");
  return `${text}${alphabet[0] ?? "A"}${alphabet.at(-1) ?? "9"}`;
}

const upper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** Twenty kinds, each by the shape that its vendor gives it. */
const kinds: readonly ((seed: string) => string)[] = [
  (seed) => `sk-${randomText(seed, 48)}`,
  (seed) => `sk-proj-${randomText(seed, 60)}`,
  (seed) => `sk-ant-api03-${randomText(seed, 80)}`,
  (seed) => `sk-or-v1-${randomText(seed, 64, "abcdef0123456789")}`,
  (seed) => `AIza${randomText(seed, 35)}`,
  (seed) => `AKIA${randomText(seed, 16, upper)}`,
  (seed) => `ASIA${randomText(seed, 16, upper)}`,
  (seed) => `ghp_${randomText(seed, 36)}`,
  (seed) => `github_pat_${randomText(seed, 60)}`,
  (seed) => `glpat-${randomText(seed, 20)}`,
  (seed) => `xoxb-123456789012-${randomText(seed, 24)}`,
  (seed) => `sk_live_${randomText(seed, 24)}`,
  (seed) => `rk_live_${randomText(seed, 24)}`,
  (seed) => `whsec_${randomText(seed, 32)}`,
  (seed) => `hf_${randomText(seed, 34)}`,
  (seed) => `gsk_${randomText(seed, 52)}`,
  (seed) => `npm_${randomText(seed, 36)}`,
  (seed) => `SG.${randomText(seed, 22)}.${randomText(`${seed} b`, 43)}`,
  (seed) => `r8_${randomText(seed, 37)}`,
  (seed) => `shpat_${randomText(seed, 32, "abcdef0123456789")}`,
];

const places = 10;
const rounds = 5;

/** The secret of a kind, in a place, in a round, of somebody. */
function secretOf(who: string, kind: number, place: number, round: number): string {
  return kinds[kind]?.(`${who} ${kind} ${place} ${round}`) ?? "";
}

/** Answers with secrets in a header, a cookie and a body, which comes plain, compressed, or as events in two pieces. */
async function startOrigin(): Promise<AsyncDisposable & { readonly url: string }> {
  const server = http.createServer((request, response) => {
    request.resume();
    const [, kind = 0, round = 0] = (request.url ?? "").split("/").map(Number);
    const [header = "", cookie = "", json = "", event = ""] = [6, 7, 8, 9].map((place) =>
      secretOf("origin", kind, place, round)
    );
    response.setHeader("x-auth-token", header);
    response.setHeader("set-cookie", `sid=${cookie}; Path=/`);
    const body = JSON.stringify({ note: `use ${json} from now on`, event });
    if (round % 3 === 0) response.end(body);
    else if (round % 3 === 1) response.setHeader("content-encoding", "gzip").end(gzipSync(body));
    else {
      response.setHeader("content-type", "text/event-stream");
      response.write(`data: ${body.slice(0, body.length - 12)}`, () => response.end(`${body.slice(-12)}\n\n`));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** Sends one request per kind and round, six secrets in each. */
async function sendAll(proxyPort: number, origin: string, who: string): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    for (let kind = 0; kind < kinds.length; kind++) {
      const [bearer = "", key = "", query = "", json = "", prose = "", form = ""] = [0, 1, 2, 3, 4, 5].map((place) =>
        who === "nobody" ? "[redacted-1]" : secretOf(who, kind, place, round)
      );
      const body = round % 2 === 0
        ? JSON.stringify({
          api_key: json,
          text: `my key is ${prose}, keep it`,
          nested: JSON.stringify({ token: form }),
        })
        : new URLSearchParams({ api_key: json, text: `a ${prose}, b`, other: form }).toString();
      const type = round % 2 === 0 ? "application/json" : "application/x-www-form-urlencoded";
      const headers = { authorization: `Bearer ${bearer}`, "x-api-key": key, "content-type": type };
      await send(proxyPort, `${origin}/${kind}/${round}?q=${encodeURIComponent(query)}`, { headers, body });
    }
  }
}

function send(
  proxyPort: number,
  url: string,
  message: { headers: Record<string, string>; body: string },
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const { headers, body } = message;
  const all = { ...headers, host: new URL(url).host, "content-length": String(Buffer.byteLength(body)) };
  const options = {
    host: "127.0.0.1",
    port: proxyPort,
    method: "POST",
    path: url,
    headers: all,
    agent: false,
  } as const;
  const request = http.request(options, (response) => {
    response.resume().on("end", resolve).on("error", reject);
  });
  request.on("error", reject);
  request.end(body);
  return promise;
}

function secretsOf(who: string): string[] {
  const all: string[] = [];
  for (let round = 0; round < rounds; round++) {
    for (let kind = 0; kind < kinds.length; kind++) {
      for (let place = 0; place < places; place++) all.push(secretOf(who, kind, place, round));
    }
  }
  return all;
}

/** Of a secret its last sixteen characters: a prefix alone is nobody's. */
function found(folder: string, secrets: readonly string[]): string[] {
  const texts = [...filesOf(folder).keys()].map((name) => Deno.readFileSync(`${folder}/${name}`))
    .map((bytes) => Buffer.from(bytes).toString("latin1"));
  return secrets.filter((secret) => texts.some((text) => text.includes(secret.slice(-16))));
}

Deno.test("a thousand planted secrets are in no written byte, here or shared, and every replay is exact with any keys", async () => {
  await using origin = await startOrigin();
  await using rig = new Rig();
  await rig.record((port) => sendAll(port, origin.url, "me"));
  const secrets = [...secretsOf("me"), ...secretsOf("origin")].filter((secret) => secret !== "");
  equal(new Set(secretsOf("me")).size, 1000);
  deepEqual(found(rig.folder, secrets), []);
  for (const who of ["me", "you", "nobody"]) {
    const { outcome } = await rig.replay((port) => sendAll(port, origin.url, who));
    assertFaithful(outcome);
  }
  await using server = await S3Server.start();
  using bucket = await server.open();
  const [ref] = new Store(rig.folder).list();
  ok(ref !== undefined && ref.digest !== null);
  await shareRun(new Store(rig.folder).layout, { ...ref, digest: ref.digest }, bucket);
  using there = new ThrowawayStore();
  await pullRun(there.layout, ref.runId, bucket);
  deepEqual([found(server.bucketFolder, secrets), found(there.folder, secrets)], [[], []]);
});
