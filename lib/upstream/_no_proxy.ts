import { BlockList, isIP } from "node:net";

/** Tells whether a host and port are reached without a proxy. */
export type Exempts = (host: string, port: number) => boolean;

const anyHost: Exempts = () => true;

/**
 * Reads `NO_PROXY`: a list by commas or white space.
 *
 * `*` is every host; `example.com` and `.example.com` are the name and all below it; an address is itself; `10.0.0.0/8`
 * is every address in it; `:8080` behind a name or an address narrows it to a port. Names are never looked up.
 */
export function parseNoProxy(text: string): Exempts {
  const rules = text.split(/[\s,]+/).filter((entry) => entry !== "").map(parseEntry);
  return (host, port) => {
    const plain = bareHost(host);
    return rules.some((rule) => rule(plain, port));
  };
}

function parseEntry(entry: string): Exempts {
  if (entry === "*") return anyHost;
  const range = parseRange(entry);
  if (range !== null) return range;
  const [, name = "", digits] = isIP(entry) === 6 ? [entry, entry] : /^(.*?)(?::(\d+))?$/.exec(entry) ?? [];
  const wanted = bareHost(name.replace(/^\*?\./, ""));
  const matches = isIP(wanted) === 0 ? (host: string) => isWithin(host, wanted) : (host: string) => host === wanted;
  return (host, port) => (digits === undefined || Number(digits) === port) && matches(host);
}

function isWithin(host: string, name: string): boolean {
  return name !== "" && (host === name || host.endsWith(`.${name}`));
}

function parseRange(entry: string): Exempts | null {
  const [, address = "", digits = ""] = /^(.+)\/(\d{1,3})$/.exec(entry) ?? [];
  const kind = isIP(address);
  if (kind === 0 || Number(digits) > (kind === 4 ? 32 : 128)) return null;
  const range = new BlockList();
  range.addSubnet(address, Number(digits), kindName(kind));
  return (host) => isIP(host) === kind && range.check(host, kindName(kind));
}

function kindName(kind: number): "ipv4" | "ipv6" {
  return kind === 6 ? "ipv6" : "ipv4";
}

/** Without brackets, without the root's dot, an IPv6 address in its one short form. */
function bareHost(host: string): string {
  const bare = host.toLowerCase().replace(/^\[|\]$/g, "").replace(/\.$/, "");
  return isIP(bare) === 6 ? URL.parse(`http://[${bare}]/`)?.hostname.slice(1, -1) ?? bare : bare;
}
