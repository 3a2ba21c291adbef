import { deepEqual, equal, match } from "node:assert/strict";
import { explainRefusal, type NamespaceFacts } from "./sandbox_refusal.ts";

function machine(sysctls: Readonly<Record<string, number>>, container = false): NamespaceFacts {
  return { sysctl: (name) => sysctls[name] ?? null, container };
}

const denied = "unshare: unshare failed: Operation not permitted\n";

const cases: readonly (readonly [NamespaceFacts, RegExp])[] = [
  [machine({ "user/max_user_namespaces": 0 }), /^sudo sysctl -w user\.max_user_namespaces=\d+$/],
  [machine({ "kernel/unprivileged_userns_clone": 0 }), /^sudo sysctl -w kernel\.unprivileged_userns_clone=1$/],
  [
    machine({ "kernel/apparmor_restrict_unprivileged_userns": 1 }),
    /^sudo sysctl -w kernel\.apparmor_restrict_unprivileged_userns=0$/,
  ],
  [machine({}, true), /^docker run .*seccomp=unconfined/],
];

for (const [facts, remedy] of cases) {
  Deno.test(`explainRefusal() gives ${remedy} for a machine that is so set`, () => {
    match(explainRefusal(denied, facts).remedy, remedy);
  });
}

Deno.test("explainRefusal() quotes what the program said", () => {
  match(explainRefusal(denied, machine({}, true)).reason, /\(unshare: unshare failed: Operation not permitted\)$/);
});

Deno.test("explainRefusal() blames no setting for what is no denial", () => {
  const refusal = explainRefusal("ip: unknown device lo\n", machine({}, true));
  deepEqual(refusal.reason, "ip: unknown device lo");
});

Deno.test("explainRefusal() quotes the first line, and no advice of mount's", () => {
  const said = "mount: /run: must be superuser to use mount.\n       dmesg(1) may have more information\n";
  equal(explainRefusal(said, machine({})).reason, "mount: /run: must be superuser to use mount.");
});

Deno.test("explainRefusal() has a reason even for silence", () => {
  equal(explainRefusal("", machine({})).reason, "the namespaces could not be made");
});
