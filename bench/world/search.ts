/** A search engine behind a CDN: result lists and the pages they lead to, as HTML for readers or JSON for programs. */

import { gzipSync } from "node:zlib";
import { type Answer, type Call, type HeaderPair, whole } from "./answer.ts";
import { edgeHeaders, proxyHeaders, sessionCookie } from "./cdn.ts";
import type { Exchange } from "./delays.ts";
import { alphanumeric } from "./sampler.ts";
import { angles, claims, closings, places } from "./wording.ts";

/** One entry of a result list. */
export interface SearchResult {
  readonly title: string;
  /** The path of the page: `/pages/123456`. */
  readonly url: string;
  readonly snippet: string;
}

/**
 * Answers `GET /search?q=`.
 *
 * @param call A call with the query `q`; with `accept: application/json` the answer is JSON.
 * @returns Three results, other ones each time, or 400 without a query.
 */
export function search(call: Call): Answer {
  const query = call.url.searchParams.get("q")?.trim();
  if (!query) return whole("Missing query parameter q\n", { status: 400, type: "text/plain" });

  const results = Array.from({ length: 3 }, () => drawResult(call, query));
  const wantsJson = call.headers.accept?.includes("application/json") ?? false;
  return wantsJson
    ? behindEdge(call, JSON.stringify({ query, results }), { type: "application/json", exchange: "search" })
    : behindEdge(call, toResultList(query, results), { type: "text/html; charset=utf-8", exchange: "search" });
}

/**
 * Answers `GET /pages/:id`.
 *
 * @param call A call whose path names the page.
 * @returns An article of two paragraphs that names what to look for next.
 */
export function page(call: Call): Answer {
  const { params: { id }, sample } = call;
  const topic = `item ${id}`;
  const related = `${sample.pick(angles)} ${sample.int(1_000, 9_999)}`;
  const html = toDocument(
    topic,
    `<article><p>Page ${id} ${sample.pick(claims)}, notably ${sample.pick(places)}.</p>` +
      `<p>${escapeHtml(sample.pick(closings))}</p></article>` +
      `<a class="related" href="/search?q=${encodeURIComponent(related)}">${escapeHtml(related)}</a>`,
  );
  return behindEdge(call, html, { type: "text/html; charset=utf-8", exchange: "page" });
}

function drawResult({ sample }: Call, query: string): SearchResult {
  const title = `${query}: ${sample.pick(angles)}`;
  const snippet = `On ${query}: it ${sample.pick(claims)} ${sample.pick(places)}.`;
  return { title, url: `/pages/${sample.int(100_000, 999_999)}`, snippet };
}

function toResultList(query: string, results: readonly SearchResult[]): string {
  const items = results.map(({ title, url, snippet }) =>
    `<li class="result"><a href="${url}">${escapeHtml(title)}</a><p>${escapeHtml(snippet)}</p></li>`
  );
  return toDocument(`Search: ${query}`, `<ol>\n${items.join("\n")}\n</ol>`);
}

function toDocument(title: string, body: string): string {
  const heading = escapeHtml(title);
  return `<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>${heading}</title>\n<h1>${heading}</h1>\n${body}\n</html>\n`;
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

function behindEdge(call: Call, text: string, { type, exchange }: { type: string; exchange: Exchange }): Answer {
  const gzip = /\bgzip\b/.test(String(call.headers["accept-encoding"] ?? ""));
  const encoding: readonly HeaderPair[] = gzip ? [["content-encoding", "gzip"]] : [];
  return whole(gzip ? gzipSync(text) : text, {
    type,
    headers: [...encoding, ["vary", "Accept, Accept-Encoding"], ...cacheHeaders(call)],
    exchange,
  });
}

function cacheHeaders(call: Call): readonly HeaderPair[] {
  const { sample } = call;
  return [
    ["x-cache", sample.pick(["HIT", "MISS"])],
    ["etag", `"${sample.text(22, alphanumeric)}"`],
    ...edgeHeaders(call),
    sessionCookie(sample),
    ...proxyHeaders(sample),
  ];
}
