/**
 * The canonical body: one spelling for all bodies that ask the same.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { decodeUtf8 } from "../step/mod.ts";
import { formatCanonical, parseExactly } from "./json.ts";
import { normalizeMultipart } from "./multipart.ts";
import { dropPointer, type JsonPointer } from "./pointer.ts";
import type { CompiledRules, CompiledTextRule } from "./rules.ts";

/** A request as K(s) sees it. */
export interface KeyedRequest {
  /** As on the wire. */
  readonly method: string;
  /** In its keyed form: secrets are `[redacted]`. */
  readonly url: string;
  /** The header's value; a multipart boundary is read from it. */
  readonly contentType: string | undefined;
  /** Content-encoding undone, in its keyed form. */
  readonly body: Uint8Array;
}

/** A longer body is hashed as it is: part of scheme 1, so that a body need not fit into memory. */
export const canonicalLimitBytes = 16 * 1024 * 1024;

const ignoredConstant = "[ignored]";
const jsonType = /^(?:[\w.+-]+\/(?:[\w.-]+\+)?json|text\/json)[ \t]*(?:;|$)/i;
/** What clients say of JSON when nobody told them: nothing, fetch's default for strings, curl's default. */
const vagueType = /^(?:text\/plain|application\/x-www-form-urlencoded)[ \t]*(?:;|$)/i;
const rpcId: readonly JsonPointer[] = [["id"]];
const rpcBatchIds: readonly JsonPointer[] = [["*", "id"]];

/**
 * Brings a body into the form that is hashed (design: K(s), scheme 1).
 *
 * @param request The request; its body is JSON when the content type says so, or says nothing of use (absent, text/plain,
 * a form) and the body begins with a brace or a bracket.
 * @param rules The user's rules.
 * @returns JSON in canonical form, JSON-RPC without its `id`, multipart with a constant boundary, all else as it is.
 */
export function canonicalBody(request: KeyedRequest, rules: CompiledRules): Uint8Array {
  const { body } = request;
  if (body.length === 0 || body.length > canonicalLimitBytes) return body;
  const canonical = canonicalText(request, rules);
  if (canonical === null && isMultipart(request.contentType)) {
    return replaceTexts(normalizeMultipart(body, request.contentType ?? ""), request.url, rules.text);
  }
  if (canonical === null) return replaceTexts(body, request.url, rules.text);
  return replaceTexts(Buffer.from(canonical, "utf8"), request.url, rules.text);
}

function isMultipart(contentType: string | undefined): boolean {
  return contentType !== undefined && /^\s*multipart\//i.test(contentType);
}

/** The body as canonical JSON, or `null` when it is none. */
function canonicalText(request: KeyedRequest, rules: CompiledRules): string | null {
  if (!mayBeJson(request)) return null;
  const text = decodeUtf8(request.body);
  const parsed = text === null ? null : parseExactly(text);
  if (parsed === null) return null;
  const drops = [...pointersFor(request, rules), ...rpcPointers(parsed.value)];
  return formatCanonical(drops.reduce(dropPointer, parsed.value));
}

function mayBeJson({ contentType, body }: KeyedRequest): boolean {
  const type = contentType?.trim() ?? "";
  if (jsonType.test(type)) return true;
  if (type !== "" && !vagueType.test(type)) return false;
  const first = body.find((byte) => byte !== 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d);
  return first === 0x7b || first === 0x5b;
}

/** The answer to JSON-RPC carries the id of the live request, so that of the recorded one says nothing. */
function rpcPointers(value: unknown): readonly JsonPointer[] {
  if (!Array.isArray(value)) return isRpc(value) ? rpcId : [];
  return value.length > 0 && value.every(isRpc) ? rpcBatchIds : [];
}

function isRpc(value: unknown): boolean {
  return typeof value === "object" && value !== null && "jsonrpc" in value && value.jsonrpc === "2.0";
}

function pointersFor({ method, url }: KeyedRequest, rules: CompiledRules): JsonPointer[] {
  return rules.json
    .filter((rule) => (rule.method === null || rule.method === method) && (rule.url?.test(url) ?? true))
    .map(({ pointer }) => pointer);
}

function replaceTexts(body: Uint8Array, url: string, rules: readonly CompiledTextRule[]): Uint8Array {
  const holding = rules.filter((rule) => rule.url?.test(url) ?? true);
  if (holding.length === 0) return body;
  const utf8 = decodeUtf8(body);
  const before = utf8 ?? Buffer.from(body).toString("latin1");
  const after = holding.reduce((text, { pattern }) => text.replace(pattern, ignoredConstant), before);
  return Buffer.from(after, utf8 === null ? "latin1" : "utf8");
}
