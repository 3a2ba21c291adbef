/**
 * Content-encodings undone (RFC 9110, 8.4).
 *
 * @module
 */
import {
  brotliDecompressSync,
  constants,
  gunzipSync,
  inflateRawSync,
  inflateSync,
  zstdDecompressSync,
} from "node:zlib";

interface DecodeOptions {
  readonly maxOutputLength: number;
  readonly finishFlush?: number;
}

type Decode = (bytes: Uint8Array, options: DecodeOptions) => Uint8Array;

const decoders: Readonly<Record<string, Decode>> = {
  gzip: gunzipSync,
  "x-gzip": gunzipSync,
  deflate: inflateEither,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
};
/** More layers than any server sends are an attack. */
const maxLayers = 4;

/**
 * Undoes the content-encodings of a whole body.
 *
 * @param bytes The body as it was on the wire.
 * @param encodings The header's value: `gzip`, or several in the order they were applied, `gzip, br`; empty or
 * `undefined` for none.
 * @param limitBytes No layer may become longer.
 * @returns The decoded body, or `null` when an encoding is unknown, the bytes are not of it, or the limit is passed.
 */
export function decodeContent(bytes: Uint8Array, encodings: string | undefined, limitBytes: number): Uint8Array | null {
  const layers = (encodings ?? "").toLowerCase().split(",").map((layer) => layer.trim())
    .filter((layer) => layer !== "" && layer !== "identity");
  if (layers.length > maxLayers) return null;
  return layers.reduceRight<Uint8Array | null>((body, layer) => body && decodeLayer(body, layer, limitBytes), bytes);
}

/**
 * Undoes one content-encoding of a body that was cut off, as far as it goes.
 *
 * @param bytes The first part of the body as it was on the wire.
 * @param encoding The header's value; of several encodings at once no part can be told.
 * @param limitBytes As for {@link decodeContent}.
 * @returns What the part decodes to, which may be nothing, or `null` when it is not of that encoding.
 */
export function decodeContentStart(bytes: Uint8Array, encoding: string, limitBytes: number): Uint8Array | null {
  const finishFlush = encoding === "br" ? constants.BROTLI_OPERATION_FLUSH : constants.Z_SYNC_FLUSH;
  return decodeLayer(bytes, encoding.trim(), limitBytes, { finishFlush });
}

function decodeLayer(
  bytes: Uint8Array,
  layer: string,
  limitBytes: number,
  options: Omit<DecodeOptions, "maxOutputLength"> = {},
): Uint8Array | null {
  const decode = Object.hasOwn(decoders, layer) ? decoders[layer] : undefined;
  try {
    return decode?.(bytes, { maxOutputLength: limitBytes, ...options }) ?? null;
  } catch {
    return null; // zlib throws for damaged bytes and for bytes above the limit alike
  }
}

/** Servers send both what RFC 9110 asks for, zlib's format, and the bare stream that some clients want. */
function inflateEither(bytes: Uint8Array, options: DecodeOptions): Uint8Array {
  try {
    return inflateSync(bytes, options);
  } catch (cause) {
    if (cause instanceof RangeError) throw cause; // too long, not of another format
    return inflateRawSync(bytes, options);
  }
}
