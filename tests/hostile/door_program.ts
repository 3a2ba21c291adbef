/** A door in a process of its own: prints its port and its certificate, for each line of input its memory; serves till the input ends. */
import { openDoor } from "./door.ts";

await using door = await openDoor(Number(Deno.args[0]));
console.log(JSON.stringify({ port: door.port, certificatePem: door.authority.certificatePem }));
for await (const _piece of Deno.stdin.readable) console.log(Deno.memoryUsage().rss);
