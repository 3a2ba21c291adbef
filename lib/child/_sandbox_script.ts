import { dirname, join } from "node:path";
import { formatCommand } from "../report/mod.ts";
import { isBelowRun, type SandboxPlan } from "./_sandbox_plan.ts";

/** What a sandbox is made with. */
export interface ScriptOptions {
  readonly plan: SandboxPlan;
  /** The run's own folder, with the files that stand in. */
  readonly folder: string;
  /** iproute2's `ip`. */
  readonly ip: string;
  /** The command of the forwarder. */
  readonly forwarder: readonly string[];
  /** The first port that needs no privilege; `null` leaves it. */
  readonly portStart: number | null;
}

/** What the script says when all is set up: the forwarder, which has started meanwhile, may listen. */
export const setUpLine = "set up";

/**
 * Writes what a sandbox's first process runs, as the root of its own namespaces: a loopback that is every address, the
 * files that stand in, and the forwarder, until its stdin ends. The counters come last, on stdout.
 *
 * @returns A script for sh. It ends at the first command that fails, but for IPv6, which a machine may lack.
 */
export function sandboxScript(options: ScriptOptions): string {
  const { plan, folder, ip, forwarder, portStart } = options;
  const lines = [
    "set -e",
    "trap '' PIPE", // agrepl may be gone: what is left to do is done all the same
    `trap ${formatCommand([formatCommand(["rm", "-rf", folder])])} EXIT`,
    "exec 3<&0", // a command in the background has no stdin of its own
    `${formatCommand(forwarder)} <&3 &`, // starting takes it as long as all the rest
    formatCommand([ip, "link", "set", "lo", "up"]),
    formatCommand([ip, "route", "add", "local", "0.0.0.0/0", "dev", "lo"]),
    `${formatCommand([ip, "-6", "route", "add", "local", "::/0", "dev", "lo"])} 2>/dev/null || :`,
    ...(portStart === null ? [] : [`echo ${portStart} >/proc/sys/net/ipv4/ip_unprivileged_port_start`]),
    ...runLines(plan, folder),
    ...plan.standIns.filter(({ target }) => !isBelowRun(target)).map(({ name, target }) =>
      formatCommand(["mount", "-n", "--bind", join(folder, name), target])
    ),
    `echo ${formatCommand([setUpLine])} || :`,
    "exec 3<&-",
    "wait || :",
    "cat /proc/net/snmp || :",
  ];
  return lines.join("\n");
}

/** An empty `/run` is furnished aside, while the real one can still be seen, and then put in its place. */
function runLines(plan: SandboxPlan, folder: string): string[] {
  const stage = join(folder, "run");
  const staged = (path: string) => join(stage, path.replace(/^(?:\/var)?\/run/, ""));
  const files = plan.standIns.filter(({ target }) => isBelowRun(target));
  const parents = [...files.map(({ target }) => target), ...plan.sockets].map((path) => dirname(staged(path)));
  return [
    formatCommand(["mount", "-n", "-t", "tmpfs", "-o", "mode=755", "tmpfs", stage]),
    ...plan.links.map(({ path, target }) => formatCommand(["ln", "-s", target, staged(path)])),
    formatCommand(["mkdir", "-p", ...plan.folders.map(staged), ...parents]),
    ...files.map(({ name, target }) => formatCommand(["cp", join(folder, name), staged(target)])),
    ...plan.sockets.flatMap((path) => [
      formatCommand(["touch", staged(path)]),
      formatCommand(["mount", "-n", "--bind", path, staged(path)]),
    ]),
    formatCommand(["mount", "-n", "--move", stage, "/run"]),
    ...(plan.varRunIsLink ? [] : [formatCommand(["mount", "-n", "--rbind", "/run", "/var/run"])]),
  ];
}
