import {
  chunkItem,
  FieldError,
  headerItem,
  isObject,
  type ItemKind,
  type JsonObject,
  readCount,
  readList,
  readOneOf,
  readString,
  unknownPart,
  within,
} from "./_fields.ts";
import type {
  Body,
  BodyPart,
  Frame,
  FramePayload,
  RecordedError,
  RecordedRequest,
  RecordedResponse,
  ResponseEnd,
} from "./step.ts";

/** All that `end` may say of a stream. */
export const streamEnds = ["complete", "client_closed", "upstream_reset", "timeout", "interrupted", "open"] as const;
const httpVersions = ["1.0", "1.1", "2"] as const;

const requestFields = new Set(["method", "url", "http_version", "headers", "body", "decoded", "trailers"]);

export function encodeRequest(request: RecordedRequest): JsonObject {
  return {
    method: request.method,
    url: request.url,
    http_version: request.httpVersion,
    headers: request.headers,
    body: encodeBodyField(request.body),
    ...(request.decoded === true ? { decoded: true } : {}),
    ...(request.trailers === undefined ? {} : { trailers: request.trailers }),
    ...request.unknown,
  };
}

export function decodeRequest(from: JsonObject): RecordedRequest {
  return {
    method: readString(from, "method"),
    url: readString(from, "url"),
    httpVersion: readOneOf(from, "http_version", httpVersions),
    headers: readList(from, "headers", headerItem),
    body: decodeBodyField(from),
    ...(from["decoded"] === true ? { decoded: true } : {}),
    ...(from["trailers"] === undefined ? {} : { trailers: readList(from, "trailers", headerItem) }),
    ...unknownPart(from, requestFields),
  };
}

const responseFields = new Set([
  "status",
  "status_text",
  "http_version",
  "headers",
  "body",
  "decoded",
  "chunks",
  "trailers",
  "end",
  "reset_code",
  "unreadable",
  "frames",
]);

export function encodeResponse(response: RecordedResponse): JsonObject {
  return {
    status: response.status,
    status_text: response.statusText,
    http_version: response.httpVersion,
    headers: response.headers,
    body: encodeBodyField(response.body),
    ...(response.decoded === true ? { decoded: true } : {}),
    chunks: response.chunks,
    trailers: response.trailers,
    ...encodeEndOf(response),
    ...encodeFrames(response),
    ...response.unknown,
  };
}

export function decodeResponse(from: JsonObject): RecordedResponse {
  const status = readCount(from, "status");
  if (status < 100 || status > 999) throw new FieldError("status", "a number from 100 to 999", status);
  return {
    status,
    statusText: readString(from, "status_text"),
    httpVersion: readOneOf(from, "http_version", httpVersions),
    headers: readList(from, "headers", headerItem),
    body: decodeBodyField(from),
    ...(from["decoded"] === true ? { decoded: true } : {}),
    chunks: readList(from, "chunks", chunkItem),
    trailers: readList(from, "trailers", headerItem),
    ...decodeEndOf(from),
    ...decodeFrames(from),
    ...unknownPart(from, responseFields),
  };
}

/** Writes how a stream ended. */
export function encodeEndOf({ end, resetCode, unreadable }: ResponseEnd): JsonObject {
  return {
    end,
    ...(resetCode === undefined ? {} : { reset_code: resetCode }),
    ...(unreadable === undefined ? {} : { unreadable }),
  };
}

/** Reads how a stream ended. */
export function decodeEndOf(from: JsonObject): ResponseEnd {
  return {
    end: readOneOf(from, "end", streamEnds),
    ...(from["reset_code"] === undefined ? {} : { resetCode: readCount(from, "reset_code") }),
    ...(from["unreadable"] === undefined ? {} : { unreadable: readString(from, "unreadable") }),
  };
}

const errorFields = new Set(["phase", "code", "message", "reset_code"]);

export function encodeError({ phase, code, message, resetCode, unknown }: RecordedError): JsonObject {
  return { phase, code, message, ...(resetCode === undefined ? {} : { reset_code: resetCode }), ...unknown };
}

export function decodeError(from: JsonObject): RecordedError {
  return {
    phase: readOneOf(from, "phase", ["dns", "connect", "tls", "read"]),
    code: readString(from, "code"),
    message: readString(from, "message"),
    ...(from["reset_code"] === undefined ? {} : { resetCode: readCount(from, "reset_code") }),
    ...unknownPart(from, errorFields),
  };
}

const bodyFields = {
  text: new Set(["text"]),
  base64: new Set(["base64"]),
  blob: new Set(["blob", "bytes"]),
  parts: new Set(["parts"]),
};

export function encodeBodyField(body: Body): Body | JsonObject {
  if (body !== null && "parts" in body) return { parts: body.parts.map(encodeBodyField), ...body.unknown };
  if (body?.unknown === undefined) return body;
  const { unknown, ...fields } = body;
  return { ...fields, ...unknown };
}

export function decodeBodyField(from: JsonObject): Body {
  const body = from["body"];
  if (body === null) return null;
  if (!isObject(body)) throw new FieldError("body", "null, or an object with text, base64, blob or parts", body);
  return within("body", () => decodeBodyForm(body));
}

function decodeBodyForm(body: JsonObject): Exclude<Body, null> {
  if (body["parts"] === undefined) return decodeBodyPart(body);
  return { parts: readList(body, "parts", partItem), ...unknownPart(body, bodyFields.parts) };
}

const partItem: ItemKind<BodyPart> = {
  expected: "an object with text, base64 or blob",
  read: (item) => isObject(item) ? decodeBodyPart(item) : undefined,
};

function decodeBodyPart(body: JsonObject): BodyPart {
  const { text, base64 } = body;
  if (typeof text === "string") return { text, ...unknownPart(body, bodyFields.text) };
  if (typeof base64 === "string") return { base64, ...unknownPart(body, bodyFields.base64) };
  const blob = readString(body, "blob");
  // The address becomes a file's name, so nothing but a digest may pass.
  if (!/^sha256:[0-9a-f]{64}$/.test(blob)) throw new FieldError("blob", '"sha256:" and 64 hexadecimal digits', blob);
  return { blob, bytes: readCount(body, "bytes"), ...unknownPart(body, bodyFields.blob) };
}

const frameItem: ItemKind<Frame> = {
  expected: "milliseconds, client or server, an opcode from 0 to 15 and a payload",
  read(item) {
    if (!Array.isArray(item) || item.length !== 4) return undefined;
    const [atMs, from, opcode, payload] = item;
    if (!Number.isFinite(atMs) || (from !== "client" && from !== "server")) return undefined;
    if (!Number.isInteger(opcode) || opcode < 0 || opcode > 15) return undefined;
    return [atMs, from, opcode, decodePayload(payload)];
  },
};

function decodePayload(payload: unknown): FramePayload {
  if (!isObject(payload) || payload["deflated"] !== true) return decodeBodyField({ body: payload });
  const { deflated: _deflated, ...body } = payload;
  return { ...within("body", () => decodeBodyPart(body)), deflated: true };
}

function encodePayload(payload: FramePayload): Body | JsonObject {
  if (payload === null || !("deflated" in payload)) return encodeBodyField(payload);
  const { deflated, ...body } = payload;
  return { ...encodeBodyField(body), deflated };
}

export function encodeFrames({ frames }: { readonly frames?: readonly Frame[] }): JsonObject {
  if (frames === undefined) return {};
  return { frames: frames.map(([atMs, from, opcode, payload]) => [atMs, from, opcode, encodePayload(payload)]) };
}

export function decodeFrames(from: JsonObject): { readonly frames?: Frame[] } {
  return from["frames"] === undefined ? {} : { frames: readList(from, "frames", frameItem) };
}
