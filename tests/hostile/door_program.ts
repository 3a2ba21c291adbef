/** A door in a process of its own: prints its port and its certificate, for each line of input its memory; serves till the input ends. */
import { openDoor } from "./door.ts";

await using door = await openDoor(Number(Deno.args[0]));
console.log(JSON.stringify({ port: door.port, certificatePem: door.authority.certificatePem }));
for await (const _piece of Deno.stdin.readable) {
  collectGarbage(); // what is garbage is not held, and when it goes by itself is a matter of luck
  console.log(Deno.memoryUsage().rss);
}

function collectGarbage(): void {
  const collect: unknown = Reflect.get(globalThis, "gc");
  if (typeof collect !== "function") throw new TypeError("Cannot collect garbage: expected --v8-flags=--expose-gc");
  collect();
}
