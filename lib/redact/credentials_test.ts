import { deepEqual, equal, match } from "node:assert/strict";
import { credentialNames, dummyCredential } from "./credentials.ts";

Deno.test("credentialNames() finds credentials by their names, sorted", () => {
  const names = [
    "OPENAI_API_KEY",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_ACCESS_KEY_ID",
    "GITHUB_TOKEN",
    "PGPASSWORD",
    "AZDO_PAT",
  ];
  const environment = Object.fromEntries(names.map((name) => [name, "x"]));
  deepEqual(credentialNames(environment), [...names].sort());
});

Deno.test("credentialNames() takes any _KEY for one, unless its value is the path of a file", () => {
  deepEqual(credentialNames({ STRIPE_SECRET_KEY: "sk_live_1", TLS_KEY: "/etc/ssl/key.pem", SSH_KEY: "~/.ssh/id" }), [
    "STRIPE_SECRET_KEY",
  ]);
});

Deno.test("credentialNames() takes an AWS key that begins with a slash for what it is", () => {
  deepEqual(credentialNames({ AWS_SECRET_ACCESS_KEY: "/ab/cd.ef" }), ["AWS_SECRET_ACCESS_KEY"]);
});

Deno.test("credentialNames() leaves out what only ends like a credential", () => {
  const plain = {
    MAX_TOKEN: "5",
    GOOGLE_APPLICATION_CREDENTIALS: "/x.json",
    AGREPL_KEY: "1",
    SSH_PUBLIC_KEY: "ssh-rsa A",
  };
  deepEqual(credentialNames({ ...plain, PATH: "/bin", KEYBOARD: "us", SECRET_SANTA: "Bo" }), []);
});

Deno.test("credentialNames() leaves out what is empty", () => {
  deepEqual(credentialNames({ OPENAI_API_KEY: "" }), []);
});

Deno.test("dummyCredential() gives each vendor's shape and length", () => {
  match(dummyCredential("ANTHROPIC_API_KEY"), /^sk-ant-api03-[\w-]{95}$/);
  match(dummyCredential("OPENAI_API_KEY"), /^sk-[\w-]{48}$/);
  match(dummyCredential("GEMINI_API_KEY"), /^AIza[\w-]{35}$/);
  match(dummyCredential("GITHUB_TOKEN"), /^ghp_\w{36}$/);
  match(dummyCredential("HF_TOKEN"), /^hf_\w{34}$/);
  match(dummyCredential("AWS_ACCESS_KEY_ID"), /^AKIA[A-Z0-9]{16}$/);
  match(dummyCredential("AWS_SECRET_ACCESS_KEY"), /^[\w/]{40}$/);
});

Deno.test("dummyCredential() names itself in every value, so that nobody takes it for a key", () => {
  for (const name of ["ANTHROPIC_API_KEY", "GROQ_API_KEY", "AWS_ACCESS_KEY_ID", "MY_TOKEN"]) {
    match(dummyCredential(name), /agrepl-?dummy/i);
  }
});

Deno.test("dummyCredential() gives the same value each time, so that a replay repeats", () => {
  equal(dummyCredential("MY_TOKEN"), dummyCredential("MY_TOKEN"));
});
