import { deepEqual, equal } from "node:assert/strict";
import { announcesBody, contentEncoding, decodedHeaders } from "./_content.ts";

Deno.test("contentEncoding() joins the codings of all its headers, and gives null for none", () => {
  equal(contentEncoding([["Content-Encoding", "GZIP"], ["x", "y"], ["content-encoding", "br"]]), "gzip,br");
  for (const value of ["", "identity", " , identity"]) equal(contentEncoding([["content-encoding", value]]), null);
  equal(contentEncoding([]), null);
});

Deno.test("decodedHeaders() leaves out the coding only if it was undone, and makes the length fit", () => {
  const headers = [["Content-Encoding", "gzip"], ["CONTENT-LENGTH", "5"], ["a", "b"]] as const;
  deepEqual(decodedHeaders(headers, 9), [["CONTENT-LENGTH", "9"], ["a", "b"]]);
  deepEqual(decodedHeaders(headers, 9, false), [["Content-Encoding", "gzip"], ["CONTENT-LENGTH", "9"], ["a", "b"]]);
});

Deno.test("announcesBody() goes by the framing alone", () => {
  equal(announcesBody([["Content-Length", "1"]]), true);
  equal(announcesBody([["Transfer-Encoding", "chunked"]]), true);
  equal(announcesBody([["Content-Length", "0"], ["Content-Type", "text/plain"]]), false);
});
