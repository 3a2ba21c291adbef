import { dirname, join, resolve } from "node:path";

/** A file of agrepl's that is to stand in for one of the system. */
export interface StandInFile {
  /** Where it is to be seen. */
  readonly target: string;
  /** Its name in the sandbox's folder. */
  readonly name: string;
  readonly text: string;
}

/** What a sandbox changes of the files that its processes see. */
export interface SandboxPlan {
  readonly standIns: readonly StandInFile[];
  /** Folders to make in the empty `/run`. */
  readonly folders: readonly string[];
  /** Links of the real `/run`: some systems keep their programs behind one. */
  readonly links: readonly { readonly path: string; readonly target: string }[];
  /** Sockets of the real `/run` that are let in. */
  readonly sockets: readonly string[];
  /** False where `/var/run` is a folder of its own, to be covered as well. */
  readonly varRunIsLink: boolean;
}

/** Every unix socket that a system's services offer lies below it, by convention (FHS 3.0, 3.15). */
const run = "/run";

const loopbackAddress = /^(?:127\.|::1$)/;

/** Looks at this machine and says what its sandbox needs. */
export function planSandbox(env: Readonly<Record<string, string>>, sockets: readonly string[]): SandboxPlan {
  const runtimeFolder = env["XDG_RUNTIME_DIR"] ?? "";
  return {
    standIns: [
      { target: "/etc/resolv.conf", name: "resolv.conf", text: "nameserver 127.0.0.1\n" },
      ...standIn("/etc/hosts", "hosts", (text) => loopbackHosts(text, Deno.hostname())),
      ...standIn("/etc/nsswitch.conf", "nsswitch.conf", plainLookup),
    ].flatMap(({ target, ...rest }) => {
      const place = realPlace(target);
      return place === null ? [] : [{ target: place, ...rest }];
    }),
    folders: [`${run}/lock`, ...(isBelowRun(runtimeFolder) ? [resolve(runtimeFolder)] : [])],
    links: linksOf(run),
    sockets: sockets.map((path) => resolve(path)).filter(isBelowRun),
    varRunIsLink: targetOf("/var/run") !== null,
  };
}

/** Tells whether a path lies in what a sandbox hides. */
export function isBelowRun(path: string): boolean {
  return /^(?:\/var)?\/run(?:\/|$)/.test(path);
}

/**
 * Keeps the names of loopback, and this machine's own with them. A name with another address would be led there without
 * anybody being asked for it, and its requests would go to an address where they were recorded with a name.
 */
export function loopbackHosts(text: string, hostname: string): string {
  const kept = text.split("\n").filter((line) => loopbackAddress.test(line.trim().split(/\s/)[0] ?? ""));
  const missing = kept.some((line) => line.split(/\s+/).includes(hostname)) ? [] : [`127.0.0.1 ${hostname}`];
  return `${[...kept, ...missing].join("\n")}\n`;
}

/** Hosts by files and DNS only: other services are asked over unix sockets, which lead out. */
export function plainLookup(text: string): string {
  const others = text.split("\n").filter((line) => !/^\s*hosts\s*:/.test(line));
  return [...others.join("\n").trimEnd().split("\n"), "hosts: files dns", ""].join("\n");
}

/** A file that the system lacks needs none in its stead. */
function standIn(target: string, name: string, change: (text: string) => string): StandInFile[] {
  try {
    return [{ target, name, text: change(Deno.readTextFileSync(target)) }];
  } catch {
    return [];
  }
}

/** What a path leads to, also where that is not there yet; `null` where there is nothing. */
function realPlace(path: string): string | null {
  try {
    return Deno.realPathSync(path);
  } catch {
    const target = targetOf(path);
    return target === null ? null : resolve(dirname(path), target);
  }
}

function targetOf(path: string): string | null {
  try {
    return Deno.readLinkSync(path);
  } catch {
    return null;
  }
}

function linksOf(folder: string): { readonly path: string; readonly target: string }[] {
  return entriesOf(folder).filter((entry) => entry.isSymlink).flatMap(({ name }) => {
    const path = join(folder, name);
    const target = targetOf(path);
    return target === null ? [] : [{ path, target }];
  });
}

function entriesOf(folder: string): Deno.DirEntry[] {
  try {
    return [...Deno.readDirSync(folder)];
  } catch {
    return []; // not there, or closed to us: there is nothing of it to keep
  }
}
