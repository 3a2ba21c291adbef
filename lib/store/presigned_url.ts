/**
 * URLs that let anybody read one object for a while (AWS Signature Version 4, in the query).
 *
 * @module
 */
import { createHash, createHmac } from "node:crypto";

/** Who signs, and what for. */
export interface PresignOptions {
  /** Of the object, without a query. */
  readonly url: URL;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
  /** 1 to 604800: a week is the longest that the scheme knows. */
  readonly expiresSeconds: number;
  readonly now: Date;
}

/**
 * Signs a GET of an object.
 *
 * @param options Who signs, and what for.
 * @returns The URL with its signature.
 */
export function presignedUrl(options: PresignOptions): string {
  const { url, region, accessKeyId, secretAccessKey, sessionToken, expiresSeconds, now } = options;
  const time = now.toISOString().replace(/[:-]|\.\d{3}/g, "");
  const day = time.slice(0, 8);
  const scope = `${day}/${region}/s3/aws4_request`;
  const query: readonly (readonly [string, string])[] = [
    ["X-Amz-Algorithm", "AWS4-HMAC-SHA256"],
    ["X-Amz-Credential", `${accessKeyId}/${scope}`],
    ["X-Amz-Date", time],
    ["X-Amz-Expires", String(expiresSeconds)],
    ...(sessionToken === undefined ? [] : [["X-Amz-Security-Token", sessionToken] as const]),
    ["X-Amz-SignedHeaders", "host"],
  ];
  const canonicalQuery = query.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join("&");
  const request = ["GET", url.pathname, canonicalQuery, `host:${url.host}`, "", "host", "UNSIGNED-PAYLOAD"].join("\n");
  const digest = createHash("sha256").update(request).digest("hex");
  const keys = [day, region, "s3", "aws4_request"];
  const key = keys.reduce<Uint8Array>((by, text) => hmac(by, text), new TextEncoder().encode(`AWS4${secretAccessKey}`));
  const text = ["AWS4-HMAC-SHA256", time, scope, digest].join("\n");
  return `${url.origin}${url.pathname}?${canonicalQuery}&X-Amz-Signature=${hmac(key, text).toString("hex")}`;
}

function hmac(key: Uint8Array, text: string) {
  return createHmac("sha256", key).update(text).digest();
}

/** RFC 3986, which `encodeURIComponent` follows but for five characters. */
function encoded(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
