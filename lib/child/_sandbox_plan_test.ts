import { equal } from "node:assert/strict";
import { isBelowRun, loopbackHosts, plainLookup } from "./_sandbox_plan.ts";

Deno.test("loopbackHosts() keeps names of loopback and leaves the others to DNS", () => {
  const text =
    "127.0.0.1 localhost box\n# a comment\n10.0.0.5 api.internal\n::1 localhost ip6-localhost\n  127.0.1.1\tb\n";
  equal(loopbackHosts(text, "box"), "127.0.0.1 localhost box\n::1 localhost ip6-localhost\n  127.0.1.1\tb\n");
});

Deno.test("loopbackHosts() gives this machine's own name an address of loopback when it had another", () => {
  equal(loopbackHosts("127.0.0.1 localhost\n172.17.0.2 3f2a\n", "3f2a"), "127.0.0.1 localhost\n127.0.0.1 3f2a\n");
});

Deno.test("plainLookup() asks files and DNS for hosts, and leaves the rest", () => {
  const text = "passwd: files systemd\nhosts: files mymachines resolve [!UNAVAIL=return] dns\nnetworks: files\n";
  equal(plainLookup(text), "passwd: files systemd\nnetworks: files\nhosts: files dns\n");
});

for (
  const [path, below] of [["/run", true], ["/var/run/x", true], ["/run/user/1", true], ["/runner", false]] as const
) {
  Deno.test(`isBelowRun() gives ${below} for "${path}"`, () => equal(isBelowRun(path), below));
}
