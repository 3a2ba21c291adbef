import { deepEqual, equal } from "node:assert/strict";
import { redactCommand } from "./command_line.ts";
import { Redactor } from "./redactor.ts";

const secret = "tok-A1b2C3d4E5f6G7h8";
const redact = (...words: string[]) => redactCommand(new Redactor(), words);

Deno.test("redactCommand() replaces the word behind a key-like option", () => {
  deepEqual(redact("tool", "--api-key", secret, "x"), ["tool", "--api-key", "[redacted-1********]", "x"]);
});

Deno.test("redactCommand() replaces what is assigned inside a word", () => {
  deepEqual(redact("tool", `--api-key=${secret}`), ["tool", "--api-key=[redacted-1********]"]);
});

Deno.test("redactCommand() replaces the password of --user and keeps the name", () => {
  deepEqual(redact("curl", "-u", `joe:${secret}`, "https://h/"), [
    "curl",
    "-u",
    "joe:[redacted-1********]",
    "https://h/",
  ]);
});

Deno.test("redactCommand() replaces a credential header given to curl", () => {
  deepEqual(redact("curl", "-H", `Authorization: Bearer ${secret}`)[2], "Authorization: Bearer [redacted-1********]");
});

Deno.test("redactCommand() leaves words alone that only look like options or values", () => {
  const words = ["python3", "-c", "print('it''s \"fine\"')", "--verbose", "out.txt", "-u", "script.py"];
  deepEqual(redact(...words), words);
});

Deno.test("redactCommand() keeps the length of every word in bytes", () => {
  const words = ["tool", "--password", "pässwörd-ünïcode-1234", "--token", "it's-A1b2C3d4E5f6G7h8"];
  const bytes = (text: string) => new TextEncoder().encode(text).length;
  deepEqual(redact(...words).map(bytes), words.map(bytes));
  equal(redact(...words).join(" ").includes("1234"), false);
});
