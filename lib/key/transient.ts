/**
 * Query parameters that say nothing about what is asked, as data.
 *
 * A parameter stands here only if no server answers by it: one removed wrongly makes two questions one, and a replay
 * answers falsely; one kept wrongly makes a miss, which says why and names the rule to add.
 * So `ts`, `timestamp`, `time`, `v`, `cb`, `rand` are not here: Slack's `ts` names a message, `v` a version.
 *
 * @module
 */

/** Parameters that leave the URL before it is hashed. */
export interface TransientRule {
  /** Lower case; compared without regard to case. */
  readonly names: readonly string[];
  /** Only values like this. */
  readonly value?: RegExp;
  /** Only beside one of these parameters, lower case. */
  readonly beside?: readonly string[];
  /** Why no server answers by them. */
  readonly why: string;
}

/** Scheme 1's list: part of K(s), so changing it makes a scheme 2. */
export const transientRules: readonly TransientRule[] = [
  {
    names: ["utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content", "utm_id"],
    why: "campaign tracking, read by scripts in pages",
  },
  { names: ["gclid", "dclid", "fbclid", "msclkid"], why: "click identifiers that advertisers add to links" },
  { names: ["_"], value: /^\d{10,}$/, why: "jQuery's cache buster: milliseconds since 1970" },
  {
    names: ["nocache", "_nocache", "cachebust", "cache_bust", "cachebuster", "cache_buster"],
    why: "cache busters by their name",
  },
  {
    names: ["x-amz-date", "x-goog-date"],
    beside: ["x-amz-signature", "x-goog-signature"],
    why: "when a pre-signed URL was signed; `x-amz-expires` stays, programs choose it once",
  },
  { names: ["expires"], beside: ["signature"], why: "pre-signed URLs of AWS signature 2, GCS and CloudFront: now + n" },
  { names: ["st", "se"], value: /^\d{4}-/, beside: ["sig"], why: "Azure SAS: validity, from now on" },
  {
    names: ["oauth_timestamp", "oauth_nonce"],
    beside: ["oauth_signature"],
    why: "OAuth 1.0 (RFC 5849, 3.3): new for every request",
  },
  {
    names: ["timestamp", "signaturenonce"],
    beside: ["signature"],
    why: "signed requests of Alibaba Cloud and Binance: the time of signing",
  },
];
