import { deepEqual, equal } from "node:assert/strict";
import { Pulse } from "./_pulse.ts";

Deno.test("Pulse beats as long as there is something to look after, and rests then", async () => {
  const done = Promise.withResolvers<void>();
  let beats = 0;
  const pulse = new Pulse(1, () => {
    if (++beats === 3) done.resolve();
    return beats < 3;
  });
  pulse.start();
  pulse.start(); // it beats already
  await done.promise;
  equal(beats, 3);
});

Deno.test("stop() ends a pulse before its next beat, and start() begins anew", async () => {
  const beats: string[] = [];
  const pulse = new Pulse(1, () => beats.push("beat") < 0);
  pulse.start();
  pulse.stop();
  await new Promise((resolve) => setTimeout(resolve, 10)); // longer than a beat
  deepEqual(beats, []);
  pulse.start();
  await new Promise((resolve) => setTimeout(resolve, 10));
  deepEqual(beats, ["beat"]);
});
