/**
 * Where the remote store is, read from the environment.
 *
 * @module
 */

/** A bucket, and how to speak to it. */
export interface RemoteSettings {
  /** Absent for AWS itself. */
  readonly endpoint?: string;
  readonly bucket: string;
  /** Empty, or ends with a slash. */
  readonly prefix: string;
  /** Absent where the SDK's own chain is to say. */
  readonly region?: string;
  /** Absent where the SDK's own chain is to say. */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

/**
 * Reads the settings: `AGREPL_S3_ENDPOINT`, `_BUCKET`, `_PREFIX`, `_REGION`, or `AGREPL_R2_ACCOUNT_ID`, `_BUCKET`,
 * `_ACCESS_KEY_ID`, `_SECRET_ACCESS_KEY`.
 *
 * @param env The variables of this process.
 * @throws {TypeError} when no bucket is named, or a value cannot be one.
 */
export function remoteSettings(env: Readonly<Record<string, string>>): RemoteSettings {
  const value = (name: string) => (env[name] ?? "") === "" ? undefined : env[name];
  const account = value("AGREPL_R2_ACCOUNT_ID");
  const endpoint = value("AGREPL_S3_ENDPOINT") ?? value("AGREPL_R2_ENDPOINT") ?? accountEndpoint(account);
  const bucket = value("AGREPL_S3_BUCKET") ?? value("AGREPL_R2_BUCKET");
  if (bucket === undefined) {
    throw new TypeError(
      "Cannot find the remote store: AGREPL_S3_BUCKET (or AGREPL_R2_BUCKET) is not set; docs/SHARE.md shows all names",
    );
  }
  const region = value("AGREPL_S3_REGION") ?? regionOf(env, endpoint);
  const prefix = toPrefix(value("AGREPL_S3_PREFIX") ?? value("AGREPL_R2_PREFIX") ?? "");
  return {
    bucket: checkedBucket(bucket),
    prefix,
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(region === undefined ? {} : { region }),
    ...ownCredentials(value("AGREPL_R2_ACCESS_KEY_ID"), value("AGREPL_R2_SECRET_ACCESS_KEY")),
  };
}

function ownCredentials(accessKeyId?: string, secretAccessKey?: string): Pick<RemoteSettings, "credentials"> {
  if (accessKeyId === undefined || secretAccessKey === undefined) return {};
  return { credentials: { accessKeyId, secretAccessKey } };
}

function accountEndpoint(account: string | undefined): string | undefined {
  if (account === undefined) return undefined;
  if (/^[\w-]+$/.test(account)) return `https://${account}.r2.cloudflarestorage.com`;
  throw new TypeError(`Cannot use AGREPL_R2_ACCOUNT_ID "${account}": expected letters and digits`);
}

function checkedEndpoint(endpoint: string): URL {
  const url = URL.parse(endpoint);
  if (url !== null && /^https?:$/.test(url.protocol) && url.username === "") return url;
  throw new TypeError("Cannot use AGREPL_S3_ENDPOINT: expected a URL such as https://s3.example.com");
}

/** A server of one's own mostly takes any region; AWS does not, and its chain knows. */
function regionOf(env: Readonly<Record<string, string>>, endpoint: string | undefined): string | undefined {
  if (endpoint === undefined) return undefined;
  if (/\.r2\.cloudflarestorage\.com$/.test(checkedEndpoint(endpoint).hostname)) return "auto";
  return (env["AWS_REGION"] ?? "") === "" ? env["AWS_DEFAULT_REGION"] || "us-east-1" : undefined;
}

function checkedBucket(bucket: string): string {
  if (/^[A-Za-z0-9][\w.-]{1,254}$/.test(bucket)) return bucket;
  throw new TypeError(`Cannot use "${bucket}" as a bucket: expected its name alone`);
}

function toPrefix(text: string): string {
  const prefix = text.replace(/^\/+|\/+$/g, "");
  if (!/^[\w./-]*$/.test(prefix) || prefix.split("/").some((part) => /^\.{1,2}$/.test(part))) {
    throw new TypeError(`Cannot use "${text}" as a prefix: expected words between slashes`);
  }
  return prefix === "" ? "" : `${prefix}/`;
}
