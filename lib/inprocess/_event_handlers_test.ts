import { deepEqual, equal } from "node:assert/strict";
import { defineHandlers } from "./_event_handlers.ts";

class Target extends EventTarget {
  declare onping: ((event: Event) => void) | null;
}
defineHandlers(Target.prototype, ["ping"]);

Deno.test("defineHandlers() calls one handler, in the turn that the first of them took", () => {
  const target = new Target();
  const seen: string[] = [];
  target.onping = () => seen.push("first");
  target.addEventListener("ping", () => seen.push("listener"));
  target.onping = () => seen.push("second");
  target.dispatchEvent(new Event("ping"));
  deepEqual(seen, ["second", "listener"]);
});

Deno.test("defineHandlers() takes a handler away with null, and keeps objects apart", () => {
  const [one, two] = [new Target(), new Target()];
  let calls = 0;
  const count = () => calls++;
  one.onping = count;
  equal(one.onping, count);
  equal(two.onping, null);
  one.onping = null;
  one.onping = null;
  for (const target of [one, two]) target.dispatchEvent(new Event("ping"));
  deepEqual([calls, one.onping], [0, null]);
});
