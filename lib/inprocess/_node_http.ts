import { Buffer } from "node:buffer";
import http, { type ClientRequest, type RequestOptions } from "node:http";
import https from "node:https";
import type { Door } from "./_door.ts";
import { answerNode } from "./_node_exchange.ts";

/** What is not in the types of Node's agents, and has been in the agents since Node 0.12. */
interface AgentInside {
  addRequest(this: unknown, request: ClientRequest, options: RequestOptions | string, ...more: unknown[]): void;
}

/** What is not in the types of Node's requests. */
interface RequestInside extends ClientRequest {
  readonly method: string;
}

/**
 * Answers the requests of `node:http` and `node:https` in this process.
 *
 * Every request that goes by an agent is caught at the agents' own prototype, however it came by its `request`: by
 * import, named or not, or by `require`. What brings a connection of its own, or an agent that is none of Node's, is
 * caught where it is handed to `request` and `get` of the modules themselves; a named import of those two is not.
 *
 * @param scopeNow The scope that the caller is in.
 * @returns Puts the genuine ones back, unless somebody has put others over ours.
 */
export function captureNodeHttp(scopeNow: () => Door | undefined): () => void {
  const restores = [
    captureAgents(scopeNow),
    ...[http, https].flatMap((module) =>
      (["request", "get"] as const).map((name) => {
        return captureOwnConnections(module, name, scopeNow);
      })
    ),
  ];
  return () => {
    for (const restore of restores) restore();
  };
}

function captureAgents(scopeNow: () => Door | undefined): () => void {
  const prototype = http.Agent.prototype as unknown as AgentInside; // see AgentInside
  const genuine = prototype.addRequest;
  const captured: AgentInside["addRequest"] = function (request, options, ...more) {
    const scope = scopeNow();
    const origin = scope === undefined ? null : originOf(request, options, more);
    if (scope === undefined || origin === null) genuine.call(this, request, options, ...more);
    else answerNode(scope, request, origin);
  };
  prototype.addRequest = captured;
  return () => {
    if (prototype.addRequest === captured) prototype.addRequest = genuine;
  };
}

/** Where a request is to go; `null` where that is no matter of ours: a Unix socket, or a tunnel that is asked for. */
function originOf(request: ClientRequest, options: RequestOptions | string, more: readonly unknown[]): string | null {
  const { protocol, method } = request as RequestInside;
  if (method === "CONNECT") return null;
  // The form of Node 0.10, which some agents still use: host and port, one by one.
  if (typeof options === "string") return formatOrigin(protocol, options, more[0]);
  if (options.socketPath) return null;
  return formatOrigin(protocol, options.hostname || options.host || "localhost", options.port || options.defaultPort);
}

function formatOrigin(protocol: string, host: string, port: unknown): string {
  const defaultPort = protocol === "https:" ? 443 : 80;
  const name = host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
  const number = Number(port ?? defaultPort);
  return `${protocol}//${name}${number === defaultPort ? "" : `:${number}`}`;
}

type Start = typeof http.request;

function captureOwnConnections(
  module: { request: Start; get: Start },
  name: "request" | "get",
  scopeNow: () => Door | undefined,
): () => void {
  const genuine = module[name];
  const captured =
    ((...args: unknown[]) => Reflect.apply(genuine, module, scopeNow() === undefined ? args : plain(args))) as Start;
  module[name] = captured;
  return () => {
    if (module[name] === captured) module[name] = genuine;
  };
}

/** The same arguments without what would get around our agents. */
function plain(args: readonly unknown[]): unknown[] {
  return args.map((arg) =>
    isOptions(arg) && bringsItsOwn(arg) ? { ...arg, agent: undefined, createConnection: undefined } : arg
  );
}

function isOptions(arg: unknown): arg is RequestOptions {
  return typeof arg === "object" && arg !== null && !(arg instanceof URL) && !Buffer.isBuffer(arg);
}

function bringsItsOwn({ agent, createConnection, socketPath }: RequestOptions): boolean {
  if (socketPath) return false;
  if (agent === undefined || agent === null) return typeof createConnection === "function";
  return typeof agent === "object" && !(agent instanceof http.Agent);
}
