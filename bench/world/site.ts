/** Two plain resources: a bulletin that is news each time, and a page that stays the same behind a restless edge. */

import { type Answer, type Call, whole } from "./answer.ts";
import { edgeHeaders, sessionCookie } from "./cdn.ts";
import { events, places, subjects } from "./wording.ts";

const about = "<!doctype html><title>About</title><h1>About</h1><p>This page has not changed for years.</p>\n";

/**
 * Answers `GET /fetch`.
 *
 * @param call Any call.
 * @returns A bulletin of one line of text, a new one each time.
 */
export function bulletin(call: Call): Answer {
  const { sample } = call;
  const place = sample.pick(places);
  const line = `Bulletin ${sample.int(100_000, 999_999)}: ${sample.pick(subjects)} ${place} ${sample.pick(events)}.\n`;
  return whole(line, {
    type: "text/plain; charset=utf-8",
    headers: [["server", "Varnish"], ["x-cache", "MISS"], ...edgeHeaders(call)],
    exchange: "fetch",
  });
}

/**
 * Answers `GET /static/about`: what the paper's header taxonomy was found on (section V-B).
 *
 * @param call Any call.
 * @returns Always the same bytes, status and `x-cache`; every noise header is fresh, and one answer in ten has a cookie.
 */
export function unchanging(call: Call): Answer {
  const { sample } = call;
  return whole(about, {
    type: "text/html; charset=utf-8",
    headers: [
      ["server", "GitHub.com"],
      ["last-modified", "Sat, 18 Apr 2026 08:00:00 GMT"],
      ["etag", '"69e33a80-5d"'],
      ["cache-control", "max-age=600"],
      ["x-cache", "HIT"],
      ...edgeHeaders(call),
      ...(sample.fraction() < 0.1 ? [sessionCookie(sample)] : []),
    ],
    exchange: "fetch",
  });
}
