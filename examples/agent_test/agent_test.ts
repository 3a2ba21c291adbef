import { equal, match } from "node:assert/strict";
import { withReplay } from "@agrepl/core";
import { research } from "./agent.ts";

Deno.test("research() searches before it answers", async (t) => {
  const queries: string[] = [];
  const answer = await withReplay(t, (scope) =>
    research("What is known about tidal clocks?", (query) => {
      queries.push(query);
      return scope.tool("search", { query }, () => askTheLibrary(query));
    }));
  equal(queries.length, 1);
  match(answer, /tidal clocks/);
});

/** The genuine tool: called while recording, and never in a replay. */
function askTheLibrary(query: string): string[] {
  return [`${query}: a clock that shows the tide beside the hour.`, `${query}: first built for harbours.`];
}
