import { deepEqual, throws } from "node:assert/strict";
import { parseOptions } from "./health.ts";

Deno.test("parseOptions() gives a table without places when nothing is asked for", () => {
  deepEqual(parseOptions([]), { json: false, check: false, worst: 0 });
  deepEqual(parseOptions(["--json", "--worst", "5", "--check"]), { json: true, check: true, worst: 5 });
});

Deno.test("parseOptions() refuses what it does not know", () => {
  const message = 'Cannot list the worst places: "many" was given, a whole number was expected';
  throws(() => parseOptions(["--worst", "many"]), new RangeError(message));
  throws(() => parseOptions(["--wrst", "1"]), TypeError);
});
