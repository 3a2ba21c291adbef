import { deepEqual } from "node:assert/strict";
import type { Frame } from "../step/mod.ts";
import { socketScript } from "./_socket_script.ts";

const frames = (...all: readonly (readonly ["client" | "server", number, string])[]): Frame[] =>
  all.map(([from, opcode, text], atMs) => [atMs, from, opcode, text === "" ? null : { text }]);

/** Per frame of the server: opcode, what it waits for, and whether it ends its message. */
const server = (recorded: Frame[]) =>
  socketScript(recorded).server.map(({ opcode, after, fin }) => [opcode, after, fin]);

Deno.test("socketScript() lets a frame wait for the messages that had come whole before it", () => {
  deepEqual(
    server(frames(["server", 1, "a"], ["client", 1, "b"], ["client", 0, "c"], ["server", 1, "d"], ["client", 2, "e"])),
    [[1, 0, true], [1, 1, true]],
  );
  deepEqual(server(frames(["client", 1, "b"], ["server", 1, "d"], ["client", 0, "c"])), [[1, 0, true]]);
});

Deno.test("socketScript() lets the answer to a close wait for the close", () => {
  const { server, client } = socketScript(frames(["client", 1, "a"], ["client", 8, ""], ["server", 8, ""]));
  deepEqual([server[0]?.after, client.map(({ kind }) => kind)], [2, ["message", "close"]]);
});

Deno.test("socketScript() leaves out the pongs that answer pings, also those that answer several, and no other", () => {
  const pings = frames(["client", 9, "1"], ["client", 9, "2"], ["server", 10, "2"], ["server", 10, "1"]);
  deepEqual(server(pings), [[10, 0, true]]);
  deepEqual(server(frames(["server", 10, "x"], ["client", 9, "x"], ["server", 10, "x"])), [[10, 0, true]]);
});

Deno.test("socketScript() counts no pings and no pongs of the client's", () => {
  deepEqual(server(frames(["client", 9, "a"], ["client", 10, "b"], ["server", 1, "c"])), [[1, 0, true]]);
});

Deno.test("socketScript() tells fragments by the continuations behind them, each side for itself", () => {
  const cut = frames(["server", 1, "a"], ["client", 1, "x"], ["server", 9, ""], ["server", 0, "b"], ["server", 2, "c"]);
  deepEqual(server(cut).map(([opcode, , fin]) => [opcode, fin]), [[1, false], [9, true], [0, true], [2, true]]);
});

Deno.test("socketScript() puts a message in fragments where it passed, though it stands where it ended", () => {
  const stored: Frame[] = [
    [2, "client", 1, { text: "x" }],
    [1, "server", 1, { text: "a" }],
    [3, "server", 0, { text: "b" }],
    [4, "client", 1, { text: "y" }],
  ];
  deepEqual(server(stored), [[1, 0, false], [0, 1, true]]);
});

Deno.test("socketScript() knows a message by all of its frames", () => {
  const { client } = socketScript(frames(["client", 2, "a"], ["client", 9, ""], ["client", 0, "b"]));
  deepEqual(client, [{ kind: "message", opcode: 2, payloads: [{ text: "a" }, { text: "b" }] }]);
});
