import { deepEqual, equal, match, notEqual, throws } from "node:assert/strict";
import { cassettePlace } from "./_cassette_path.ts";

/** A test's context, as far as a place depends on it. */
function context(t: Deno.TestContext, name: string, parent?: Deno.TestContext): Deno.TestContext {
  return { ...t, origin: "file:///repo/tests/x_test.ts", name, ...(parent === undefined ? {} : { parent }) };
}

Deno.test("cassettePlace() names the file after the test", (t) => {
  deepEqual(cassettePlace(context(t, "asks twice")), {
    path: "/repo/tests/__cassettes__/x_test/asks-twice.ndjson",
    name: "asks twice",
  });
});

Deno.test("cassettePlace() puts a step below its test", (t) => {
  const { path, name } = cassettePlace(context(t, "inner", context(t, "outer")));
  deepEqual([path, name], ["/repo/tests/__cassettes__/x_test/outer/inner.ndjson", "outer > inner"]);
});

Deno.test("cassettePlace() takes the genuine context of a test", (t) => {
  match(cassettePlace(t).path, /lib\/inprocess\/__cassettes__\/_cassette_path_test\/cassetteplace-takes-the-genuine/);
});

Deno.test("cassettePlace() keeps names apart that differ in what no file's name can hold", (t) => {
  notEqual(cassettePlace(context(t, "a > b")).path, cassettePlace(context(t, "a < b")).path);
  notEqual(cassettePlace(context(t, "🙂")).path, cassettePlace(context(t, "🙃")).path);
  notEqual(
    cassettePlace(context(t, `${"x".repeat(200)}1`)).path,
    cassettePlace(context(t, `${"x".repeat(200)}2`)).path,
  );
});

Deno.test("cassettePlace() never leaves the folder of its tests", (t) => {
  match(cassettePlace(context(t, "../../etc/passwd")).path, /^\/repo\/tests\/__cassettes__\/x_test\/[\w-]+\.ndjson$/);
});

Deno.test("cassettePlace() takes a path and a file URL as they are", () => {
  equal(cassettePlace("/a/b.ndjson").path, "/a/b.ndjson");
  equal(cassettePlace(new URL("file:///a/b%20c.ndjson")).path, "/a/b c.ndjson");
});

Deno.test("cassettePlace() takes a relative path from where the process is now", () => {
  equal(cassettePlace("a/b.ndjson").path, `${Deno.cwd()}/a/b.ndjson`);
});

Deno.test("cassettePlace() refuses a URL of no file, and an empty path", () => {
  throws(() => cassettePlace(new URL("https://h/x")), TypeError);
  throws(() => cassettePlace(""), TypeError);
});
