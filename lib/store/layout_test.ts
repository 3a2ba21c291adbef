import { deepEqual, equal, throws } from "node:assert/strict";
import { blobPath, growingTracePath, isRunId, reportPath, runRefPath, storeLayout, tracePath } from "./layout.ts";

const layout = storeLayout("/p/.agrepl");
const hex = `ab${"0".repeat(62)}`;

Deno.test("a store's files lie where the format's page says", () => {
  const paths = [
    growingTracePath(layout, "20261120-091233-k3f9"),
    runRefPath(layout, "20261120-091233-k3f9"),
    tracePath(layout, `sha256:${hex}`),
    blobPath(layout, `sha256:${hex}`),
    reportPath(layout, "a"),
  ];
  deepEqual(paths, [
    "/p/.agrepl/runs/20261120-091233-k3f9.ndjson",
    "/p/.agrepl/runs/20261120-091233-k3f9.json",
    `/p/.agrepl/traces/${hex}.ndjson`,
    `/p/.agrepl/blobs/ab/${hex}`,
    "/p/.agrepl/reports/a.json",
  ]);
});

for (const id of ["../x", "a/b", "a\\b", "", ".", "..", "a.json", "A", "a\n", "-a", "a".repeat(65), "a\0", "~"]) {
  Deno.test(`a run id never becomes a path when it is ${JSON.stringify(id).slice(0, 20)}`, () => {
    equal(isRunId(id), false);
    for (const toPath of [growingTracePath, runRefPath, reportPath]) {
      throws(() => toPath(layout, id), { name: "RangeError", message: /^Cannot use ".*" as a run id: expected/s });
    }
  });
}

for (const digest of [hex, "sha256:../../x", `sha256:${hex}x`, `sha256:${hex.toUpperCase()}`, `sha256:${hex}\n`, ""]) {
  Deno.test(`a digest never becomes a path when it is ${JSON.stringify(digest).slice(0, 20)}`, () => {
    for (const toPath of [tracePath, blobPath]) {
      throws(() => toPath(layout, digest), { name: "RangeError", message: /^Cannot use ".*" as a digest: expected/s });
    }
  });
}
