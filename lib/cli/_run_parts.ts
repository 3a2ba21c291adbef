import type { Authority, ProxyNotice } from "../proxy/mod.ts";
import { childEnvironment, trustAdvice, type TrustFiles, writeTrustFiles } from "../child/mod.ts";
import { printable, UsageError } from "../report/mod.ts";
import type { RecordedError } from "../step/mod.ts";
import type { CliContext } from "./_context.ts";
import { isFileError, reasonOf } from "./_system_error.ts";

/** Keeps what went wrong beside the exchanges, for the report at the end. */
export class NoticeLog {
  readonly #tls = new Map<string, string>();
  readonly #refused: string[] = [];
  readonly #failed: unknown[] = [];
  readonly #upstream = new Map<string, string>();
  /** Per protocol the URLs of connections that were switched to it. */
  readonly #unrecorded = new Map<string, string[]>();
  readonly #command: readonly string[];

  constructor(command: readonly string[]) {
    this.#command = command;
  }

  readonly take = (notice: ProxyNotice): void => {
    if (notice.kind === "failed") this.#failed.push(notice.error);
    else if (notice.kind === "refused") this.#refused.push(notice.reason);
    else if (!this.#tls.has(notice.host)) this.#tls.set(notice.host, trustAdvice(notice, this.#command));
  };

  /** Takes a failure of an upstream; of each kind the first is told. */
  readonly takeFailure = (request: string, error: RecordedError): void => {
    const kind = `${error.phase} ${error.code}`;
    if (!this.#upstream.has(kind)) this.#upstream.set(kind, upstreamAdvice(printable(request), error));
  };

  /** Takes a connection that was switched to a protocol of which nothing is kept. */
  readonly takeUnrecorded = (url: string, protocol: string): void => {
    this.#unrecorded.set(protocol, [...(this.#unrecorded.get(protocol) ?? []), url]);
  };

  /** TLS clients that turned away from us. */
  get distrust(): number {
    return this.#tls.size;
  }

  /** A bug of ours, if one showed. */
  get failure(): unknown {
    return this.#failed[0];
  }

  /** One sentence each, safe to print. */
  warnings(): string[] {
    const refused = this.#refused.slice(0, 3).map((reason) => `Refused: ${printable(reason)}`);
    const unrecorded = [...this.#unrecorded].map(([protocol, [first = "", ...more]]) => {
      const others = more.length === 0 ? "" : ` and ${more.length} more`;
      return `Not recorded: upgrade to ${printable(protocol)} of ${printable(first)}${others}`;
    });
    return [...this.#upstream.values(), ...this.#tls.values(), ...unrecorded, ...refused];
  }
}

/** Says that the network failed, and what the user can do where it is not the network's fault. */
function upstreamAdvice(request: string, { phase, code, message }: RecordedError): string {
  const unknown = code === "UNABLE_TO_VERIFY_LEAF_SIGNATURE";
  const advice = unknown ? "; --upstream-ca FILE makes agrepl trust an authority of your own" : "";
  return `The upstream of ${request} failed (${phase}, ${code}): ${message}${advice}. The failure is recorded as a step`;
}

/** The variables and certificate files of one child; disposing removes the files. */
export function prepareChild(context: CliContext, options: {
  readonly command: readonly string[];
  readonly authority: Authority;
  readonly proxyPort: number;
  readonly trust: readonly string[];
  readonly bypass: readonly string[];
  /** In a sandbox the child's loopback is its own. */
  readonly sandboxed: boolean;
}): { readonly env: Record<string, string>; readonly files: TrustFiles } {
  const files = trustFiles(options.authority.certificatePem, options.trust);
  const { command, proxyPort } = options;
  const bypass = options.sandboxed ? [...options.bypass, ...loopbackNames] : options.bypass;
  return { files, env: childEnvironment({ inherited: context.env, command, proxyPort, trust: files, bypass }) };
}

const loopbackNames: readonly string[] = ["localhost", "127.0.0.1", "::1"];

function trustFiles(authorityPem: string, further: readonly string[]): TrustFiles {
  try {
    return writeTrustFiles(authorityPem, further);
  } catch (error) {
    if (!isFileError(error)) throw error;
    throw new UsageError(`Cannot write a temporary file: ${reasonOf(error)}. Name another folder with TMPDIR`);
  }
}

/** Names the two folders that `ignore_text` presets stand for. */
export function keyContext(context: CliContext): { readonly cwd: string; readonly home: string } {
  return { cwd: context.cwd, home: context.env["HOME"] ?? context.env["USERPROFILE"] ?? "" };
}

/** Says what a rule lacks in the words of a command line. */
export function orUsageError<Value>(make: () => Value): Value {
  try {
    return make();
  } catch (error) {
    if (error instanceof TypeError || error instanceof SyntaxError) {
      throw new UsageError(error.message, { cause: error });
    }
    throw error;
  }
}
