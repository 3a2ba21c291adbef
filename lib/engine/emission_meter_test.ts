import { Buffer } from "node:buffer";
import { deepEqual, equal } from "node:assert/strict";
import { BodyReader } from "../store/mod.ts";
import { EmissionMeter } from "./emission_meter.ts";

function meterOf(stored: string, ...sent: string[]): EmissionMeter {
  const meter = new EmissionMeter(new BodyReader(Buffer.from(stored)));
  for (const piece of sent) meter.body(Buffer.from(piece));
  return meter;
}

Deno.test("EmissionMeter sees the same body, however it is cut", () => {
  for (const cut of [["abcdef"], ["a", "bcde", "f"], ["", "abcdef", ""]]) {
    const { sameBody, bodyBytes } = meterOf("abcdef", ...cut).emission();
    deepEqual([sameBody, bodyBytes], [true, 6]);
  }
});

Deno.test("EmissionMeter sees another byte, bytes too many, and does not forget", () => {
  equal(meterOf("abcdef", "abc", "dxf").emission().sameBody, false);
  equal(meterOf("abcdef", "xbc", "def").emission().sameBody, false);
  equal(meterOf("abc", "abc", "d").emission().sameBody, false);
});

Deno.test("EmissionMeter says what went out, and that it is not finished before its end", () => {
  const meter = meterOf("abc", "ab");
  meter.head(206, [["a", "b"]]);
  deepEqual(meter.emission(), {
    status: 206,
    headers: [["a", "b"]],
    bodyBytes: 2,
    sameBody: true,
    trailers: [],
    finished: false,
  });
  meter.end([["t", "1"]]);
  deepEqual([meter.emission().finished, meter.emission().trailers], [true, [["t", "1"]]]);
});
