/**
 * A registry on loopback that speaks as much of JSR as `deno publish` and `deno run jsr:…` ask for.
 *
 * Takes archives from whoever publishes, without asking who it is; gives the files back. Never writes to a disk.
 * Invariant: a version that was published once never changes.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { decodeTar } from "./tar.ts";

/** One version of a package. */
export interface Release {
  /** `@scope/name`. */
  readonly name: string;
  readonly version: string;
  /** Specifiers to paths: `.` to `./mod.ts`. */
  readonly exports: Readonly<Record<string, string>>;
  /** The files by their paths: `/mod.ts`. */
  readonly files: ReadonlyMap<string, Uint8Array<ArrayBuffer>>;
}

/** `/@scope/name/…`: its version list, one version's manifest, or one file of a version. */
const modules = /^\/(?<name>@[^/]+\/[^/]+)\/(?:meta\.json|(?<version>[^/]+)_meta\.json|(?<of>[^/]+)(?<file>\/.+))$/;

/** `/api/scopes/S/packages/P`, and one version of it. */
const api = /^\/api\/scopes\/(?<scope>[^/]+)\/packages\/(?<name>[^/]+)(?:\/versions\/(?<version>[^/]+))?$/;

/** A registry that runs; disposing ends it. */
export class FakeRegistry implements AsyncDisposable {
  readonly #releases: Release[] = [];
  readonly #server: Deno.HttpServer<Deno.NetAddr>;

  constructor() {
    const options = { hostname: "127.0.0.1", port: 0, onListen: () => {} };
    this.#server = Deno.serve(options, (request) => this.#answer(request));
  }

  /** What `JSR_URL` has to name. */
  get url(): string {
    return `http://127.0.0.1:${this.#server.addr.port}`;
  }

  /** All that was published, oldest first. */
  get releases(): readonly Release[] {
    return this.#releases;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }

  async #answer(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    const managed = api.exec(pathname)?.groups;
    if (managed !== undefined) return await this.#manage(request, managed);
    return this.#serve(modules.exec(pathname)?.groups ?? {}) ?? absent(pathname);
  }

  /** The API: is there such a package, is there such a version, take this version. */
  async #manage(request: Request, { scope, name, version }: Record<string, string | undefined>): Promise<Response> {
    const packageName = `@${scope}/${name}`;
    if (version === undefined) return Response.json({ scope, name });
    const known = this.#find(packageName, version) !== undefined;
    if (request.method === "GET") return known ? Response.json({ version }) : absent(version);
    if (known) return Response.json({ code: "duplicateVersionPublish", message: "It is there" }, { status: 409 });
    this.#releases.push({ name: packageName, version, ...unpack(new Uint8Array(await request.arrayBuffer())) });
    return Response.json({ id: crypto.randomUUID(), status: "success", error: null });
  }

  #serve({ name, version, of, file }: Record<string, string | undefined>): Response | undefined {
    if (name === undefined) return undefined;
    if (file !== undefined) return sourceOf(this.#find(name, of)?.files.get(file), file);
    if (version === undefined) return this.#versions(name);
    const release = this.#find(name, version);
    return release && Response.json({ manifest: manifestOf(release), exports: release.exports });
  }

  #versions(name: string): Response | undefined {
    const versions = this.#releases.filter((release) => release.name === name).map(({ version }) => version);
    if (versions.length === 0) return undefined;
    const createdAt = new Date().toISOString();
    const entries = versions.map((version) => [version, { createdAt }]);
    return Response.json({ latest: versions.at(-1), versions: Object.fromEntries(entries) });
  }

  #find(name: string, version: string | undefined): Release | undefined {
    return this.#releases.find((release) => release.name === name && release.version === version);
  }
}

function unpack(archive: Uint8Array<ArrayBuffer>): Pick<Release, "exports" | "files"> {
  const named = [...decodeTar(new Uint8Array(gunzipSync(archive)))];
  const files = new Map(named.map(([path, bytes]) => [`/${path}`, bytes]));
  const { exports } = JSON.parse(new TextDecoder().decode(files.get("/deno.json")));
  return { files, exports: typeof exports === "string" ? { ".": exports } : exports };
}

/** What Deno holds each file against when it comes. */
function manifestOf({ files }: Release): Record<string, { readonly size: number; readonly checksum: string }> {
  const entries = [...files].map(([path, bytes]) => {
    const checksum = `sha256-${createHash("sha256").update(Buffer.from(bytes)).digest("hex")}`;
    return [path, { size: bytes.length, checksum }];
  });
  return Object.fromEntries(entries);
}

function sourceOf(bytes: Uint8Array<ArrayBuffer> | undefined, path: string): Response | undefined {
  const type = path.endsWith(".json") ? "application/json" : path.endsWith(".ts") ? "text/typescript" : "text/plain";
  return bytes && new Response(bytes, { headers: { "content-type": type } });
}

function absent(what: string): Response {
  return Response.json({ code: "notFound", message: `There is no "${what}"` }, { status: 404 });
}
