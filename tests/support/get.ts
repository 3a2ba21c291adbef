/**
 * Sends requests one after the other and prints each answer as `STATUS BODY`.
 *
 *     get [-H 'NAME: VALUE']… [-d JSON] [--full] URL…
 *
 * @module
 */
import { parseArgs } from "node:util";

const { values, positionals } = parseArgs({
  options: {
    header: { type: "string", short: "H", multiple: true },
    data: { type: "string", short: "d" },
    full: { type: "boolean" },
  },
  allowPositionals: true,
});
const headers = new Headers(values.data === undefined ? {} : { "content-type": "application/json" });
for (const line of values.header ?? []) {
  const [name = "", ...value] = line.split(": ");
  headers.set(name, value.join(": "));
}
const request = values.data === undefined ? { headers } : { headers, method: "POST", body: values.data };
for (const url of positionals) {
  const response = await fetch(url, request);
  const text = await response.text();
  // A miss explains itself over a screen of JSON; that it is one is what a script looks at.
  const ours = values.full === true ? null : response.headers.get("x-agrepl");
  console.log(`${response.status} ${ours ?? text.trimEnd()}`);
}
