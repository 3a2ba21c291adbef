import { deepEqual, equal, match, ok } from "node:assert/strict";
import type { SandboxPlan } from "./_sandbox_plan.ts";
import { sandboxScript } from "./_sandbox_script.ts";

const plan: SandboxPlan = {
  standIns: [{ target: "/etc/resolv.conf", name: "resolv.conf", text: "" }],
  folders: ["/run/lock", "/run/user/1000"],
  links: [{ path: "/run/current-system", target: "/nix/store/x y" }],
  sockets: [],
  varRunIsLink: true,
};
const options = { plan, folder: "/tmp/box", ip: "/sbin/ip", forwarder: ["deno", "run"], portStart: null };

function lines(changes: Partial<SandboxPlan> = {}): string[] {
  return sandboxScript({ ...options, plan: { ...plan, ...changes } }).split("\n");
}

/** Where a command stands; every one that is looked for must be there. */
function place(script: readonly string[], start: string): number {
  const at = script.findIndex((line) => line.startsWith(start));
  ok(at !== -1, `${start} in ${script.join("\n")}`);
  return at;
}

Deno.test("sandboxScript() makes every address of both families local", () => {
  const routes = lines().filter((line) => line.includes(" route "));
  deepEqual(routes.map((line) => line.replace(/ 2>.*/, "")), [
    "/sbin/ip route add local 0.0.0.0/0 dev lo",
    "/sbin/ip -6 route add local ::/0 dev lo",
  ]);
});

Deno.test("sandboxScript() furnishes /run aside and then puts it in its place", () => {
  const script = lines();
  ok(place(script, "ln -s '/nix/store/x y' /tmp/box/run/current-system") < place(script, "mount -n --move"));
  match(script[place(script, "mkdir -p")] ?? "", / \/tmp\/box\/run\/lock \/tmp\/box\/run\/user\/1000/);
});

Deno.test("sandboxScript() binds an allowed socket while the real /run can still be seen", () => {
  const script = lines({ sockets: ["/run/docker.sock"] });
  const bound = place(script, "mount -n --bind /run/docker.sock /tmp/box/run/docker.sock");
  ok(place(script, "touch /tmp/box/run/docker.sock") < bound && bound < place(script, "mount -n --move"));
});

Deno.test("sandboxScript() writes a stand-in into the new /run where the system keeps its file below it", () => {
  const target = "/run/systemd/resolve/stub-resolv.conf";
  const script = lines({ standIns: [{ target, name: "resolv.conf", text: "" }] });
  place(script, "cp /tmp/box/resolv.conf /tmp/box/run/systemd/resolve/stub-resolv.conf");
  equal(script.some((line) => line.includes("--bind")), false);
});

Deno.test("sandboxScript() covers /var/run where it is no link", () => {
  equal(lines().some((line) => line.includes("/var/run")), false);
  place(lines({ varRunIsLink: false }), "mount -n --rbind /run /var/run");
});

Deno.test("sandboxScript() leaves the first port alone that needs no privilege, or sets it", () => {
  equal(lines().some((line) => line.includes("port_start")), false);
  place(
    sandboxScript({ ...options, portStart: 0 }).split("\n"),
    "echo 0 >/proc/sys/net/ipv4/ip_unprivileged_port_start",
  );
});

Deno.test("sandboxScript() removes the run's folder however it ends, first of all that may fail", () => {
  const script = lines();
  ok(place(script, "trap 'rm -rf /tmp/box' EXIT") < place(script, "/sbin/ip link"));
});
