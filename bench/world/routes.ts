/** Which endpoint answers which request. */

import { type Answer, type Call, type Endpoint, json } from "./answer.ts";
import { chatCompletions } from "./chat.ts";
import { generateContent } from "./gemini.ts";
import { order, orders, user } from "./rest.ts";
import { page, search } from "./search.ts";
import { bulletin, unchanging } from "./site.ts";

interface Route {
  readonly method: "GET" | "POST";
  /** Its named groups become the call's `params`. */
  readonly path: RegExp;
  readonly endpoint: Endpoint;
}

const routes: readonly Route[] = [
  { method: "GET", path: /^\/fetch$/, endpoint: bulletin },
  { method: "GET", path: /^\/static\/about$/, endpoint: unchanging },
  { method: "GET", path: /^\/search$/, endpoint: search },
  { method: "GET", path: /^\/pages\/(?<id>\d+)$/, endpoint: page },
  { method: "GET", path: /^\/api\/users\/(?<id>[\w-]+)$/, endpoint: user },
  { method: "GET", path: /^\/api\/users\/(?<id>[\w-]+)\/orders$/, endpoint: orders },
  { method: "GET", path: /^\/api\/orders\/(?<id>\d+)$/, endpoint: order },
  { method: "POST", path: /^\/v1\/chat\/completions$/, endpoint: chatCompletions },
  { method: "POST", path: /^\/v1beta\/models\/(?<model>[\w.-]+):generateContent$/, endpoint: generateContent },
];

/**
 * Answers any call.
 *
 * @param call The call; its `params` are those of the route that fits.
 * @returns The endpoint's answer, 404 when no route has the path, 405 when none has the method.
 */
export function answerCall(call: Omit<Call, "params">): Answer {
  const fitting = routes.filter(({ path }) => path.test(call.url.pathname));
  const route = fitting.find(({ method }) => method === (call.method === "HEAD" ? "GET" : call.method));
  if (route) return route.endpoint({ ...call, params: paramsOf(route, call.url) });

  const allow = fitting.map(({ method }) => method).join(", ");
  if (allow) return json({ error: "method not allowed" }, { status: 405, headers: [["allow", allow]] });
  return json({ error: "not found" }, { status: 404 });
}

function paramsOf({ path }: Route, url: URL): Readonly<Record<string, string>> {
  return path.exec(url.pathname)?.groups ?? {};
}
