import { Buffer } from "node:buffer";
import { setImmediate } from "node:timers";
import type { LiveRequest } from "../engine/mod.ts";
import { headerValue } from "../step/mod.ts";
import { formatHttp1Head } from "../wire/mod.ts";
import type { ConnWriter } from "./_conn_writer.ts";

/** A request on its way out. */
export interface OutgoingRequest {
  readonly request: LiveRequest;
  /** Its head, as it goes out. */
  readonly head: Uint8Array;
  readonly writer: ConnWriter;
  /** Tells whether the connection is gone. */
  readonly isOver: () => boolean;
}

const lineEnd = Buffer.from("\r\n");

/** Sends a request, its body piece by piece as it comes (RFC 9112 6 and 7). */
export async function sendHttp1Request({ request, head, writer, isOver }: OutgoingRequest): Promise<void> {
  const { body, headers } = request;
  if (body === null) return writer.write(head);
  const length = headerValue(headers, "content-length");
  const pieces = body[Symbol.asyncIterator]();
  try {
    const first = pieces.next();
    // Head and body mostly come together, and one packet for both is half the work. Who waits for a 100 sends no body.
    if (!request.expectsContinue) await Promise.race([first.catch(() => {}), nextTurn()]);
    writer.write(head);
    let rest = length === undefined ? Infinity : Number(length);
    for (let next = await first; next.done !== true; next = await pieces.next()) {
      if (isOver()) return;
      writePiece(next.value, length === undefined, writer);
      rest -= next.value.length;
      // With the last byte of a counted body the request has ended; the client's own end may be seen much later.
      if (rest <= 0) return;
      const drained = writer.drained();
      if (drained !== undefined) await drained;
    }
    if (length === undefined) writer.write(Buffer.from(formatHttp1Head("0", request.trailers()), "latin1"));
  } finally {
    await pieces.return?.();
  }
}

function writePiece(piece: Uint8Array, chunked: boolean, writer: ConnWriter): void {
  if (piece.length === 0) return; // as a chunk it would be the end
  if (chunked) writer.write(Buffer.from(`${piece.length.toString(16)}\r\n`, "latin1"));
  writer.write(piece);
  if (chunked) writer.write(lineEnd);
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
