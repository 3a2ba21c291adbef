import { Redactor } from "../redact/mod.ts";

const marks = new Redactor({ enabled: false });

/** A text with its placeholders made alike: their ordinals count secrets of one trace, and say nothing in another. */
export function neutralText(text: string): string {
  return text.includes("redacted-") ? marks.text(text).keyed : text;
}
