/**
 * What counts as a secret, as data: adding a rule is adding a line here.
 *
 * @module
 */

/** When a value in a named place is replaced: whatever it is, or only when it looks like a random string. */
export type When = "always" | "random";

/** Where a name was met: a JSON member, a form field, the request's own URL, a link inside a body, loose text. */
export type Place = "json" | "form" | "url" | "link" | "text";

/** Names whose values are secrets. A name is written in words: `api_key` also means `apiKey`, `api-key`, `API_KEY`. */
export interface NameRule {
  readonly id: string;
  readonly names: readonly string[];
  readonly where: Readonly<Partial<Record<Place, When>>>;
  /** Words may stand before the name: `openai_api_key`. */
  readonly prefixed: boolean;
  /** The rule holds only for URLs of these hosts and of what is below them. */
  readonly hosts?: readonly string[];
  readonly why: string;
}

/** How a header's value is replaced: but for its scheme word, whole, each cookie's value, what stands before `@`, or not at all. */
export type HeaderMode = "scheme" | "whole" | "cookie" | "set-cookie" | "userinfo" | "leave";

/** Headers that carry credentials, or that look as if they did. */
export interface HeaderRule {
  readonly id: string;
  /** Lower case; a leading star stands for any start. */
  readonly names: readonly string[];
  readonly mode: HeaderMode;
  readonly why: string;
}

const everywhere: NameRule["where"] = { json: "always", form: "always", url: "always", link: "always", text: "always" };

/** Names of JSON members, form fields, query parameters and assignments. */
export const nameRules: readonly NameRule[] = [
  {
    id: "api-key",
    names: ["api_key", "apikey", "api_token", "apitoken", "api_secret", "access_key", "accesskey", "auth_key"],
    where: everywhere,
    prefixed: true,
    why: "the name most vendors give to the credential of an account",
  },
  {
    id: "oauth-token",
    names: ["access_token", "accesstoken", "refresh_token", "refreshtoken", "id_token", "idtoken", "bearer_token"],
    where: everywhere,
    prefixed: true,
    why: "RFC 6749 and OpenID Connect: bearer credentials",
  },
  {
    id: "session-token",
    names: ["session_token", "sessiontoken", "security_token", "securitytoken", "auth_token", "authtoken"],
    where: everywhere,
    prefixed: true,
    why: "short-lived, but whoever holds it is the caller",
  },
  {
    id: "secret-key",
    names: [
      "client_secret",
      "clientsecret",
      "secret_key",
      "secretkey",
      "secret_access_key",
      "secretaccesskey",
      "app_secret",
      "consumer_secret",
      "shared_secret",
      "signing_secret",
      "webhook_secret",
      "private_key",
      "privatekey",
      "signing_key",
      "account_key",
      "subscription_key",
    ],
    where: everywhere,
    prefixed: true,
    why: "RFC 6749 client authentication, cloud accounts, signing keys",
  },
  {
    id: "password",
    names: ["password", "passwd", "passphrase"],
    where: everywhere,
    prefixed: true,
    why: "a person's secret",
  },
  {
    id: "password-short",
    names: ["pwd"],
    where: { form: "always", url: "always" },
    prefixed: false,
    why: "elsewhere it names the working directory",
  },
  {
    id: "authorization",
    names: ["authorization", "proxy_authorization"],
    where: { json: "always", text: "always" },
    prefixed: false,
    why: "headers written down as JSON or as text; the scheme word stays",
  },
  {
    id: "service-token",
    names: [
      "github_token",
      "gh_token",
      "gitlab_token",
      "hf_token",
      "npm_token",
      "slack_token",
      "bot_token",
      "oauth_token",
    ],
    where: everywhere,
    prefixed: false,
    why: "spelled out one by one, because `next_page_token` and `max_tokens` are no secrets",
  },
  {
    id: "bare-token",
    names: ["token", "secret"],
    where: { json: "random", form: "always", url: "always", link: "random", text: "random" },
    prefixed: false,
    why: "Slack and many others send it in forms and URLs; in JSON `token` is also a word of a model's answer",
  },
  {
    id: "bare-auth",
    names: ["auth", "credential", "credentials"],
    where: { json: "random", form: "random", url: "random", link: "random" },
    prefixed: false,
    why: "as often a mode (`none`, `basic`) as a credential",
  },
  {
    id: "google-key",
    names: ["key"],
    where: { url: "always" },
    prefixed: false,
    hosts: ["googleapis.com"],
    why: "Google's APIs take the account's key as `key`",
  },
  {
    id: "bare-key",
    names: ["key"],
    where: { form: "random", url: "random", link: "random" },
    prefixed: false,
    why: "elsewhere `key` names a record more often than a credential, and records must not share a K(s)",
  },
  {
    id: "signature",
    names: ["signature", "sig"],
    where: { form: "always", url: "always", link: "random" },
    prefixed: true,
    why:
      "pre-signed URLs (AWS, GCS, Azure SAS); in JSON a `signature` belongs to the answer, as in Claude's thinking blocks",
  },
  {
    id: "signed-credential",
    names: ["x_amz_credential", "x_goog_credential"],
    where: { form: "always", url: "always", link: "always" },
    prefixed: false,
    why: "names the account, and the day: a replay on another day must find the step",
  },
  {
    id: "oauth-proof",
    names: ["code_verifier", "client_assertion", "assertion", "device_code"],
    where: { form: "always" },
    prefixed: false,
    why: "RFC 7636, 7523, 8628: proofs that are exchanged for a token",
  },
];

/** Headers; what no rule names is searched for known values, JWTs and links. */
export const headerRules: readonly HeaderRule[] = [
  {
    id: "authorization",
    names: ["authorization", "proxy-authorization", "x-forwarded-authorization", "x-amzn-authorization"],
    mode: "scheme",
    why: "RFC 9110 11.6.2: scheme, then the credential",
  },
  {
    id: "challenge",
    names: ["www-authenticate", "proxy-authenticate", "idempotency-key", "sec-websocket-key", "surrogate-key"],
    mode: "leave",
    why: "a challenge or a name, which a client must be able to read",
  },
  {
    id: "host",
    names: ["host", "x-forwarded-host"],
    mode: "userinfo",
    why: "clients that copy it from a URL copy `user:password@` too, though RFC 9110 7.2 has no place for it",
  },
  { id: "cookie", names: ["cookie"], mode: "cookie", why: "session cookies are credentials; their names are not" },
  {
    id: "set-cookie",
    names: ["set-cookie"],
    mode: "set-cookie",
    why: "the same on the way in; attributes stay readable",
  },
  {
    id: "vendor-key",
    names: [
      "x-api-key",
      "api-key",
      "apikey",
      "x-apikey",
      "x-goog-api-key",
      "ocp-apim-subscription-key",
      "x-functions-key",
      "x-subscription-token",
      "x-rapidapi-key",
      "xi-api-key",
      "dd-application-key",
      "x-typesense-api-key",
      "x-master-key",
    ],
    mode: "whole",
    why: "Anthropic, Azure, Google, Brave, RapidAPI, ElevenLabs, Datadog: the account's key",
  },
  {
    id: "vendor-token",
    names: [
      "x-auth-token",
      "x-access-token",
      "x-amz-security-token",
      "x-vault-token",
      "x-gitlab-token",
      "private-token",
      "job-token",
      "x-consul-token",
      "x-csrf-token",
      "x-xsrf-token",
      "x-shopify-access-token",
      "x-figma-token",
      "x-goog-iam-authorization-token",
      "x-aws-ec2-metadata-token",
      "cf-access-jwt-assertion",
      "cf-access-client-secret",
    ],
    mode: "whole",
    why: "OpenStack, AWS, Vault, GitLab, Consul, Shopify, Figma, Cloudflare: bearer tokens under their own names",
  },
  {
    id: "named-like-a-key",
    names: [
      "*-api-key",
      "*-apikey",
      "*-api-token",
      "*-auth-token",
      "*-access-token",
      "*-secret",
      "*-secret-key",
      "*-password",
    ],
    mode: "whole",
    why: "a header so named carries what its name says",
  },
];

/** Words that stand before a credential in `authorization`; after any other word the whole value goes. */
export const schemeWords: readonly string[] = [
  "basic",
  "bearer",
  "digest",
  "negotiate",
  "ntlm",
  "hawk",
  "dpop",
  "gnap",
  "mutual",
  "oauth",
  "scram-sha-1",
  "scram-sha-256",
  "aws4-hmac-sha256",
  "aws4-ecdsa-p256-sha256",
  "aws",
  "goog4-rsa-sha256",
  "sharedkey",
  "sharedkeylite",
  "sharedaccesssignature",
  "apikey",
  "api-key",
  "token",
  "bot",
  "key",
  "jwt",
  "client-id",
  "snowflake",
  "ssws",
  "geniekey",
  "splunk",
];
