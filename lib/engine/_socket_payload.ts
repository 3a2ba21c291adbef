import { Buffer } from "node:buffer";
import type { Redactor } from "../redact/mod.ts";
import { decodeUtf8 } from "../step/mod.ts";
import { opcodes } from "../wire/mod.ts";

/**
 * Cleans what a control frame, or a whole message, carried.
 *
 * @param opcode Of the frame, or of the message's first.
 * @returns As many bytes; the same object where nothing was found.
 */
export function redactPayload(payload: Uint8Array, opcode: number, redactor: Redactor): Uint8Array {
  return opcode === opcodes.close ? redactClose(payload, redactor) : redactBytes(payload, redactor);
}

/** The code is no text (RFC 6455, 5.5.1); the reason behind it is one, and an error message more often than not. */
function redactClose(payload: Uint8Array, redactor: Redactor): Uint8Array {
  const reason = payload.subarray(2);
  const text = decodeUtf8(reason);
  const clean = text === null ? redactBytes(reason, redactor) : redactText(text, redactor);
  return clean === null || clean === reason ? payload : Buffer.concat([payload.subarray(0, 2), clean]);
}

function redactText(text: string, redactor: Redactor): Uint8Array | null {
  const { stored } = redactor.text(text);
  return stored === text ? null : Buffer.from(stored);
}

function redactBytes(payload: Uint8Array, redactor: Redactor): Uint8Array {
  if (payload.length === 0) return payload;
  const redaction = redactor.body(undefined);
  const pieces = [...redaction.push(payload), ...redaction.end()];
  if (!pieces.some((piece) => piece.secret)) return payload;
  return Buffer.concat(pieces.map((piece) => piece.stored));
}
