import { deepEqual } from "node:assert/strict";
import { dummyCredential } from "../redact/mod.ts";
import { standIns } from "./_stand_ins.ts";

Deno.test("standIns() makes a dummy for a credential that the recording had and this environment lacks", () => {
  const { dummies, notes } = standIns(["OPENAI_API_KEY"], { HOME: "/h" });
  deepEqual(dummies, { OPENAI_API_KEY: dummyCredential("OPENAI_API_KEY") });
  deepEqual(notes, ["Not set here, so a dummy stood in: OPENAI_API_KEY"]);
});

Deno.test("standIns() takes an empty variable for one that is not set", () => {
  deepEqual(Object.keys(standIns(["A_TOKEN"], { A_TOKEN: "" }).dummies), ["A_TOKEN"]);
});

Deno.test("standIns() leaves a credential that is set, and makes it known to the redactor", () => {
  deepEqual(standIns(["A_TOKEN"], { A_TOKEN: "mine" }), { dummies: {}, values: ["mine"], notes: [] });
});

Deno.test("standIns() makes credentials known that the recording did not have", () => {
  deepEqual(standIns([], { NEW_TOKEN: "mine" }).values, ["mine"]);
});
