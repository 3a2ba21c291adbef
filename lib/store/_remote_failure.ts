import { printableLine as printable } from "../report/mod.ts";
import { type RemoteStoreCode, RemoteStoreError } from "./remote_store_error.ts";

/** What the SDK's errors say besides their message. */
interface SdkFailure {
  readonly name: string;
  readonly message: string;
  readonly code?: unknown;
  readonly $metadata?: { readonly httpStatusCode?: number; readonly attempts?: number };
}

/** Says what a remote store answered, or that it did not. */
export function toRemoteError(error: unknown, what: string): RemoteStoreError {
  if (error instanceof RemoteStoreError) return error;
  if (!(error instanceof Error)) return new RemoteStoreError("failed", `Cannot ${what}: ${String(error)}`);
  const failure: SdkFailure = error;
  const status = failure.$metadata?.httpStatusCode;
  const code = codeOf(failure, status);
  return new RemoteStoreError(code, `Cannot ${what}: ${explain(failure, code, status)}`, { cause: error });
}

function codeOf({ name }: SdkFailure, status: number | undefined): RemoteStoreCode {
  if (name === "CredentialsProviderError") return "denied";
  if (status === 401 || status === 403) return "denied";
  if (status === 404) return "not_found";
  if (status === 409 || status === 412) return "conflict";
  return status === undefined ? "unreachable" : "failed";
}

function explain(failure: SdkFailure, code: RemoteStoreCode, status: number | undefined): string {
  const { name, message, $metadata } = failure;
  if (name === "CredentialsProviderError") {
    return "no credentials are set; AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are looked for, a profile, and AGREPL_R2_…";
  }
  const attempts = $metadata?.attempts ?? 1;
  const tried = attempts > 1 ? `, tried ${attempts} times` : "";
  const said = [message, name].find((text) => text !== "" && !text.startsWith("Unknown")) ?? "";
  if (code === "unreachable") {
    return `there was no answer (${typeof failure.code === "string" ? failure.code : said})${tried}`;
  }
  return `it answered ${status}${said === "" ? "" : `, ${printable(said)}`}${tried}`;
}
