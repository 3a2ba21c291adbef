import { deepEqual, equal, throws } from "node:assert/strict";
import { answerFraming, formatHttp1Head } from "./http1_answer.ts";

const get = { method: "GET", version: "1.1" } as const;

Deno.test("answerFraming() counts where a length is given, and sends chunks where none is", () => {
  deepEqual(answerFraming(get, 200, [["Content-Length", "5"]]), { kind: "counted", bytes: 5, reusable: true });
  deepEqual(answerFraming(get, 200, []), { kind: "chunked", reusable: true });
});

Deno.test("answerFraming() ends with the connection where the length is none, or the client knows no chunks", () => {
  for (const headers of [[["content-length", "5x"]], [["content-length", "1"], ["Content-Length", "2"]]] as const) {
    deepEqual(answerFraming(get, 200, headers), { kind: "until-close", reusable: false });
  }
  deepEqual(answerFraming({ method: "GET", version: "1.0" }, 200, []), { kind: "until-close", reusable: true });
});

Deno.test("answerFraming() sends no body to a HEAD, nor with a 204 or a 304", () => {
  for (const [method, status] of [["HEAD", 200], ["GET", 204], ["GET", 304]] as const) {
    deepEqual(answerFraming({ method, version: "1.1" }, status, []), { kind: "none", reusable: true });
  }
});

Deno.test("formatHttp1Head() keeps order, case and repeats", () => {
  equal(
    formatHttp1Head("HTTP/1.1 200 OK", [["B", "1"], ["a", "2"], ["B", "3"]]),
    "HTTP/1.1 200 OK\r\nB: 1\r\na: 2\r\nB: 3\r\n\r\n",
  );
});

Deno.test("formatHttp1Head() refuses what would split a response in two", () => {
  for (const value of ["a\r\nb", "a\nb", "a\0b", "ŝ"]) {
    throws(() => formatHttp1Head("HTTP/1.1 200 OK", [["a", value]]), TypeError);
  }
});
