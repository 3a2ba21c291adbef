/**
 * Why a message on a WebSocket is none that was recorded there.
 *
 * @module
 */
import { ruleFor } from "./_rule_for.ts";
import type { MissExplanation } from "./explain_miss.ts";
import { type ComparedRequest, type FieldChange, requestDifference } from "./request_difference.ts";

/** A message as it is compared: redacted, as the body of a request to its socket's URL. */
export interface ComparedMessage extends ComparedRequest {
  readonly kind: "text" | "binary";
}

/** Where a message stands. */
export interface MessagePlace {
  /** The key of the message as such a request. */
  readonly key: string;
  /** The socket's step. */
  readonly seq: number;
  /** From 1, among what the client sends. */
  readonly number: number;
}

/**
 * Explains a message of a client that the script of its socket does not hold at that place.
 *
 * @param asked What the client sent.
 * @param recorded What it had sent there; `null` when it had sent nothing more.
 * @param place Which message of which socket it is.
 * @returns The explanation, in values.
 */
export function explainMessage(
  asked: ComparedMessage,
  recorded: ComparedMessage | null,
  { key, seq, number }: MessagePlace,
): MissExplanation {
  const { method, url, bodyBytes } = asked;
  const changes = recorded === null ? [] : messageChanges(recorded, asked);
  const shown = changes.map((change) => ({ ...change, field: change.field.replace(/^body/, `message ${number}`) }));
  const rule = changes.length === 0 ? null : ruleFor(changes);
  const near = recorded === null ? [oneMore(asked, number)] : shown;
  const nearest = [{ seq, method, url, changes: near }];
  const reason = reasonFor(`Message ${number} of the WebSocket of step ${seq}`, recorded === null ? null : shown);
  return { key, method, url, bodyBytes, usedUp: 0, nearest, rule, reason };
}

function messageChanges(recorded: ComparedMessage, asked: ComparedMessage): readonly FieldChange[] {
  const { changes } = requestDifference(recorded, asked);
  if (recorded.kind === asked.kind) return changes;
  return [{ field: "body kind", recorded: recorded.kind, asked: asked.kind }, ...changes];
}

const shownCharacters = 160;

function oneMore({ text, bodyBytes }: ComparedMessage, number: number): FieldChange {
  const asked = text === null ? `${bodyBytes} bytes` : text.slice(0, shownCharacters);
  return { field: `message ${number}`, recorded: null, asked };
}

/** @param changes `null` for a message that is one too many. */
function reasonFor(which: string, changes: readonly FieldChange[] | null): string {
  if (changes === null) return `${which} is one more than was recorded`;
  const fields = changes.slice(0, 3).map((each) => each.field.replace(/^message \d+ /, "")).join(", ");
  return `${which} is not the recorded one; what differs: ${fields === "" ? "bytes that are not text" : fields}`;
}
