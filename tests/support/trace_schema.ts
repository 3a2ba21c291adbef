/**
 * Traces held against the schema that is published.
 *
 * @module
 */
import { deepEqual } from "node:assert/strict";
import { Ajv2020 } from "ajv/dist/2020.js";
import schema from "../../schema/trace.v1.schema.json" with { type: "json" };

const isLine = new Ajv2020({ strict: true, allowUnionTypes: true, strictRequired: false }).compile(schema);

/** Wants every line of a trace to be of the schema. */
export function assertOfSchema(tracePath: string): void {
  for (const line of Deno.readTextFileSync(tracePath).trimEnd().split("\n")) {
    isLine(JSON.parse(line));
    deepEqual(isLine.errors, null, line);
  }
}
