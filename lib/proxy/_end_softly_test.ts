import { equal } from "node:assert/strict";
import { SocketPair } from "../../tests/support/socket_pair.ts";
import { endSoftly } from "./_end_softly.ts";

Deno.test("endSoftly() delivers what was written although the client goes on sending", async () => {
  await using pair = await SocketPair.open();
  pair.near.pause();
  pair.far.send("x".repeat(500_000));
  pair.near.write("last words");
  endSoftly(pair.near);
  equal(await pair.far.rest(), "last words");
});

Deno.test("endSoftly() closes the connection when the client does not", async () => {
  await using pair = await SocketPair.open();
  pair.far.socket.allowHalfOpen = true;
  endSoftly(pair.near, 20);
  await new Promise((resolve) => pair.near.once("close", resolve));
  equal(pair.near.destroyed, true);
});
