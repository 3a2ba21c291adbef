import { isIP } from "node:net";
import type { ForwardedPlace } from "../proxy/mod.ts";
import { TraceFormatError } from "../step/mod.ts";
import type { TraceFile } from "../store/mod.ts";
import { isLoopback } from "./_options.ts";

/** The ports of HTTP and of HTTPS: on these every address in a sandbox leads to agrepl. */
export const usualPorts: readonly number[] = [80, 443];

const defaultPorts: Readonly<Record<string, number>> = { "http:": 80, "https:": 443, "ws:": 80, "wss:": 443 };

/** Host and port of each origin. */
export interface HostAndPort {
  /** As in a URL. */
  readonly host: string;
  readonly port: number;
}

/** The origins that a trace's steps went to, each once. */
export function recordedOrigins(trace: TraceFile): HostAndPort[] {
  const origins = new Map<string, HostAndPort>();
  for (const entry of trace.entries) {
    const origin = originOf(urlOrEmpty(trace, entry));
    if (origin !== null) origins.set(`${origin.host}:${origin.port}`, origin);
  }
  return [...origins.values()];
}

function urlOrEmpty(trace: TraceFile, entry: TraceFile["entries"][number]): string {
  try {
    return trace.step(entry).request.url;
  } catch (error) {
    if (!(error instanceof TraceFormatError)) throw error;
    return ""; // whoever asks for the step itself is told
  }
}

function originOf(text: string): HostAndPort | null {
  const url = URL.parse(text);
  const usual = defaultPorts[url?.protocol ?? ""];
  if (url === null || usual === undefined) return null;
  return { host: url.hostname, port: url.port === "" ? usual : Number(url.port) };
}

/**
 * Says where origins are to be found in a sandbox, beyond what leads to agrepl anyway.
 *
 * @param ports The ports that lead there on every address.
 * @returns One place per address and port: an address that was recorded goes before a name that stands for it.
 */
export function placesOf(origins: readonly HostAndPort[], ports: readonly number[]): ForwardedPlace[] {
  const wide = new Set(ports);
  const places = origins.flatMap(({ host, port }) => {
    const bare = host.replace(/^\[|\]$/g, "");
    if (host === "localhost") return ["127.0.0.1", "::1"].map((address) => ({ host, address, port }));
    if (wide.has(port)) return [];
    return [{ host, address: isIP(bare) === 0 ? null : bare, port }];
  });
  return [...places.filter(({ host }) => host !== "localhost"), ...places.filter(({ host }) => host === "localhost")];
}

/** Tells whether `--allow-local` has an origin of loopback lead past agrepl. */
export function isLetIn({ host, port }: HostAndPort, locals: readonly number[]): boolean {
  return isLoopback(host) && locals.includes(port);
}

/** The state of a socket that listens, in `/proc/net/tcp`. */
const listening = "0A";

/** The addresses of loopback, and of everything, as `/proc/net/tcp` and `tcp6` write them on a little-endian machine. */
const reachable = /^(?:0100007F|0{8}|0{32}|0{24}01000000):([0-9A-F]{4})$/;

/**
 * Finds the ports of loopback that something listens on.
 *
 * @param tables The texts of `/proc/net/tcp` and `/proc/net/tcp6`.
 */
export function listeningPorts(tables: readonly string[]): number[] {
  const rows = tables.flatMap((table) => table.split("\n").slice(1)).map((row) => row.trim().split(/\s+/));
  const ports = rows.filter((row) => row[3] === listening)
    .flatMap((row) => reachable.exec(row[1] ?? "")?.[1] ?? [])
    .map((hex) => parseInt(hex, 16));
  return [...new Set(ports)];
}

/** The services of this machine that a recorded child may find on its loopback, as origins. */
export function localOrigins(): HostAndPort[] {
  const tables = ["tcp", "tcp6"].map((name) => {
    try {
      return Deno.readTextFileSync(`/proc/net/${name}`);
    } catch {
      return ""; // a machine without IPv6
    }
  });
  return listeningPorts(tables).map((port) => ({ host: "localhost", port }));
}
