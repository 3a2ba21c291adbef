/**
 * Why there is no sandbox here, and what makes one possible.
 *
 * @module
 */

/** A sandbox that could not be had. */
export interface SandboxRefusal {
  readonly kind: "refusal";
  /** One clause, to stand behind a colon. */
  readonly reason: string;
  /** What to do: a command where there is one. */
  readonly remedy: string;
}

/** What of this machine decides whether a sandbox can be made. */
export interface NamespaceFacts {
  /** Reads a number of `/proc/sys`; `null` where there is none. */
  readonly sysctl: (name: string) => number | null;
  /** Whether this process runs in a container. */
  readonly container: boolean;
}

/** Why user namespaces are refused, by what the system says of itself; the first that holds is told. */
const causes: readonly {
  readonly holds: (facts: NamespaceFacts) => boolean;
  readonly reason: string;
  readonly remedy: string;
}[] = [
  {
    holds: ({ sysctl }) => sysctl("user/max_user_namespaces") === 0,
    reason: "user namespaces are turned off (user.max_user_namespaces is 0)",
    remedy: "sudo sysctl -w user.max_user_namespaces=15000",
  },
  {
    holds: ({ sysctl }) => sysctl("kernel/unprivileged_userns_clone") === 0,
    reason: "user namespaces are kept for root (kernel.unprivileged_userns_clone is 0)",
    remedy: "sudo sysctl -w kernel.unprivileged_userns_clone=1",
  },
  {
    holds: ({ sysctl }) => sysctl("kernel/apparmor_restrict_unprivileged_userns") === 1,
    reason: "AppArmor keeps user namespaces without rights (Ubuntu 23.10 and later)",
    remedy: "sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0",
  },
  {
    holds: ({ container }) => container,
    reason: "this container may not make namespaces",
    remedy: "docker run --security-opt seccomp=unconfined --security-opt apparmor=unconfined",
  },
];

/** What programs say when the kernel does not let them; other failures have other causes. */
const denial = /not permitted|denied|^unshare: /i;

/**
 * Explains a set-up that failed.
 *
 * @param said What the programs that make a sandbox wrote to stderr.
 * @param facts This machine.
 * @returns The reason and what to do about it.
 */
export function explainRefusal(said: string, facts: NamespaceFacts): SandboxRefusal {
  const [line = ""] = said.trim().split("\n"); // what follows is advice of mount's, or a stack
  const cause = denial.test(line) ? causes.find(({ holds }) => holds(facts)) : undefined;
  const quoted = line === "" ? "" : ` (${line})`;
  if (cause !== undefined) return { kind: "refusal", reason: `${cause.reason}${quoted}`, remedy: cause.remedy };
  return {
    kind: "refusal",
    reason: line === "" ? "the namespaces could not be made" : line,
    remedy: "unshare --user --map-root-user --net --mount true shows whether this system allows it",
  };
}

/** The facts of the machine that this runs on. */
export const thisMachine: NamespaceFacts = {
  sysctl(name) {
    try {
      return Number(Deno.readTextFileSync(`/proc/sys/${name}`));
    } catch {
      return null;
    }
  },
  get container() {
    return ["/.dockerenv", "/run/.containerenv"].some((path) => {
      try {
        return Deno.statSync(path).isFile;
      } catch {
        return false;
      }
    });
  },
};
