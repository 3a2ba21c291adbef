import { deepEqual, equal } from "node:assert/strict";
import { LossLog } from "./_loss_log.ts";

function systemError(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}

Deno.test("warnings() tells the first exchange and counts the others when many are lost", () => {
  const log = new LossLog("/store");
  equal(log.any, false);
  for (const path of ["a", "b", "c"]) {
    log.takeExchange(`GET http://x/${path}`, systemError("EIO", "Bad disk (os error 5)"));
  }
  deepEqual([log.any, log.warnings()], [true, ["Not recorded: GET http://x/a and 2 more: bad disk"]]);
});

Deno.test("warnings() says once, with the path, what to do when the disk is full", () => {
  const log = new LossLog("/store");
  const full = systemError("ENOSPC", "No space left on device (os error 28)");
  log.takeExchange("GET http://x/", full);
  log.takeEnd(full);
  deepEqual(log.warnings(), [
    "Not recorded: GET http://x/: no space left on device. The trace could not be ended: no space left on device; " +
    'agrepl verify tells what is left of it. Make room for "/store", or name another folder with AGREPL_DIR; ' +
    "what was recorded before can be replayed",
  ]);
});
