/** A store in a directory of its own, removed with everything in it. */

import { dirname, join } from "node:path";
import { formatLine, type TraceLine } from "../../lib/step/mod.ts";
import { Store, type StoreLayout } from "../../lib/store/mod.ts";

/** A store that nobody else sees. */
export class ThrowawayStore implements Disposable {
  /** The directory that holds the store. */
  readonly folder: string = Deno.makeTempDirSync({ prefix: "agrepl-test-" });
  readonly store: Store = new Store(join(this.folder, ".agrepl"));

  get layout(): StoreLayout {
    return this.store.layout;
  }

  /** Writes a file below the directory, as it is; makes its folders. */
  write(path: string, text: string | Uint8Array): string {
    const whole = join(this.folder, path);
    Deno.mkdirSync(dirname(whole), { recursive: true });
    Deno.writeFileSync(whole, typeof text === "string" ? new TextEncoder().encode(text) : text);
    return whole;
  }

  /** Writes lines as a trace that lies in no store. */
  writeLines(path: string, lines: readonly (TraceLine | string)[]): string {
    return this.write(path, lines.map((line) => `${typeof line === "string" ? line : formatLine(line)}\n`).join(""));
  }

  [Symbol.dispose](): void {
    Deno.removeSync(this.folder, { recursive: true });
  }
}
