/** What a machine must have for the tests of the sandbox. */

/** Commands that a sandbox is made with, and a shell's HTTP client; the last is never there where the kernel refuses. */
export const sandboxNeeds: readonly string[] = [
  ...["unshare", "nsenter", "ip", "mount", "curl", "python3"],
  ...(makesNamespaces() ? [] : ["user namespace"]),
];

function makesNamespaces(): boolean {
  const args = ["--user", "--map-root-user", "--net", "--mount", "true"];
  try {
    return new Deno.Command("unshare", { args, stderr: "null" }).outputSync().success;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
