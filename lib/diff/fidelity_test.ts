import { deepEqual, equal } from "node:assert/strict";
import fc from "fast-check";
import type { Header } from "../step/mod.ts";
import { type Emission, emissionDifference, endToEndHeaders, fidelityOf, type StoredOutput } from "./fidelity.ts";

const headers: readonly Header[] = [["Content-Type", "text/plain"], ["Set-Cookie", "a"], ["Set-Cookie", "b"]];
const stored: StoredOutput = { status: 200, headers, bodyBytes: 5, trailers: [["x-sum", "1"]] };
const emitted: Emission = { ...stored, sameBody: true, finished: true };

Deno.test("emissionDifference() finds none when everything went out as it was stored", () => {
  equal(emissionDifference(stored, emitted), null);
});

Deno.test("emissionDifference() does not look at headers of the connection that were stored", () => {
  const connection: readonly Header[] = [["Transfer-Encoding", "chunked"], ...headers, ["Connection", "close"]];
  equal(emissionDifference({ ...stored, headers: connection }, emitted), null);
});

const differences: readonly (readonly [what: string, changes: Partial<Emission>, difference: string | null])[] = [
  ["another status", { status: 502 }, "status 502, recorded 200"],
  ["a header less", { headers: headers.slice(1) }, "2 headers, recorded 3"],
  ["a header more", { headers: [...headers, ["Date", "now"]] }, "4 headers, recorded 3"],
  ["another value", { headers: [["Content-Type", "text/html"], ...headers.slice(1)] }, 'header "Content-Type"'],
  [
    "another case of a name",
    { headers: [["content-type", "text/plain"], ...headers.slice(1)] },
    'header "Content-Type"',
  ],
  ["another order", { headers: headers.toReversed() }, 'header "Content-Type"'],
  ["a shorter body", { bodyBytes: 4 }, "a body of 4 bytes, recorded 5"],
  ["a longer body", { bodyBytes: 6 }, "a body of 6 bytes, recorded 5"],
  ["other bytes", { sameBody: false }, "other bytes in the body"],
  ["another trailer", { trailers: [["x-sum", "2"]] }, 'header "x-sum"'],
  ["no trailer", { trailers: [] }, "0 headers, recorded 1"],
  ["half a body, because the client closed", { bodyBytes: 2, finished: false, trailers: [] }, null],
  [
    "other bytes before the client closed",
    { bodyBytes: 2, finished: false, sameBody: false },
    "other bytes in the body",
  ],
];
for (const [what, changes, difference] of differences) {
  Deno.test(`emissionDifference() says "${difference}" when what went out has ${what}`, () => {
    equal(emissionDifference(stored, { ...emitted, ...changes }), difference);
  });
}

const connectionHeaders = [
  ...["Connection", "keep-alive", "Proxy-Connection", "proxy-authenticate", "proxy-authorization", "TE"],
  ...["transfer-encoding", "Upgrade"],
];
for (const name of connectionHeaders) {
  Deno.test(`endToEndHeaders() leaves out ${name}`, () => {
    deepEqual(endToEndHeaders([["a", "1"], [name, "x"], ["b", "2"]]), [["a", "1"], ["b", "2"]]);
  });
}

Deno.test("endToEndHeaders() leaves out what connection names, over several lines and in any case", () => {
  const message: readonly Header[] = [
    ["Connection", "X-Hop , close"],
    ["x-hop", "1"],
    ["X-Other", "2"],
    ["connection", "x-other"],
    ["X-Stay", "3"],
  ];
  deepEqual(endToEndHeaders(message), [["X-Stay", "3"]]);
});

Deno.test("endToEndHeaders() gives the headers themselves when none is of the connection", () => {
  equal(endToEndHeaders(headers), headers);
});

const steps = [0, 1, 2, 5].map((seq) => ({ seq, optional: seq === 2 }));

Deno.test("fidelityOf() is 1 when every step was served as recorded; optional ones are never counted", () => {
  const served = new Map([[0, null], [1, null], [5, null]]);
  deepEqual(fidelityOf(steps, served), { steps: 3, diverged: [], fidelity: 1 });
  deepEqual(fidelityOf(steps, served.set(2, null)), { steps: 3, diverged: [], fidelity: 1 });
});

Deno.test("fidelityOf() counts steps that were answered otherwise, and steps that nobody asked for", () => {
  const served = new Map([[0, null], [1, "status 502, recorded 200"], [2, "other bytes in the body"]]);
  deepEqual(fidelityOf(steps, served), { steps: 3, diverged: [1, 5], fidelity: 1 - 2 / 3 });
});

Deno.test("fidelityOf() is 1 when nothing was recorded that counts", () => {
  deepEqual(fidelityOf([{ seq: 0, optional: true }], new Map()), { steps: 0, diverged: [], fidelity: 1 });
});

Deno.test("fidelityOf() is 1 exactly when D is empty", () => {
  const served = fc.array(fc.option(fc.constant("differs")), { maxLength: 12 });
  fc.assert(fc.property(served, (outcomes) => {
    const recorded = outcomes.map((_, seq) => ({ seq, optional: false }));
    const result = fidelityOf(recorded, new Map(outcomes.entries()));
    deepEqual(result.diverged, outcomes.flatMap((outcome, seq) => outcome === null ? [] : [seq]));
    equal(result.fidelity === 1, result.diverged.length === 0);
  }));
});
