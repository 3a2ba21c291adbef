import type { Door } from "./_door.ts";
import { captureClass, defineHandlers } from "./_event_handlers.ts";
import { EventStreamReader } from "./_event_stream.ts";
import { fetchIn } from "./_fetch.ts";

/**
 * Puts an EventSource of ours in the place of the global one.
 *
 * @param scopeNow The scope that the caller is in.
 * @returns Puts the genuine one back.
 */
export function captureEventSource(scopeNow: () => Door | undefined): () => void {
  return captureClass("EventSource", ScopedEventSource, ([url, init]) => {
    const scope = scopeNow();
    if (scope === undefined) return undefined;
    const credentials = typeof init === "object" && init !== null && "withCredentials" in init && init.withCredentials;
    return new ScopedEventSource(scope, String(url), credentials === true);
  });
}

const states = { connecting: 0, open: 1, closed: 2 } as const;

/** How long a client waits that was not told. */
const defaultRetryMs = 3000;

/** An EventSource that the engine answers (HTML 9.2). */
class ScopedEventSource extends EventTarget {
  readonly url: string;
  readonly withCredentials: boolean;
  readonly #door: Door;
  readonly #closed = new AbortController();
  #state: number = states.connecting;
  #lastEventId = "";
  #retryMs = defaultRetryMs;

  constructor(door: Door, url: string, withCredentials: boolean) {
    super();
    const parsed = URL.parse(url);
    if (parsed === null) {
      throw new DOMException(`Cannot open an EventSource to "${url}": expected an absolute URL`, "SyntaxError");
    }
    this.url = parsed.href;
    this.withCredentials = withCredentials;
    this.#door = door;
    door.over.addEventListener("abort", () => this.close(), { once: true, signal: this.#closed.signal });
    void this.#run();
  }

  get readyState(): number {
    return this.#state;
  }

  close(): void {
    this.#state = states.closed;
    this.#closed.abort();
  }

  async #run(): Promise<void> {
    const { signal } = this.#closed;
    while (!signal.aborted) {
      const mayGoOn = await this.#connect().catch(() => true); // a network that fails is asked again
      if (signal.aborted) return;
      this.#state = mayGoOn ? states.connecting : states.closed;
      this.dispatchEvent(new Event("error"));
      if (!mayGoOn) return;
      await pause(this.#retryMs, signal);
    }
  }

  /** Reads one connection to its end; gives false when there is to be no other. */
  async #connect(): Promise<boolean> {
    const { signal } = this.#closed;
    const last: Record<string, string> = this.#lastEventId === "" ? {} : { "last-event-id": this.#lastEventId };
    const response = await fetchIn(this.#door, this.url, {
      headers: { accept: "text/event-stream", ...last },
      cache: "no-store",
      signal,
    });
    const type = response.headers.get("content-type") ?? "";
    if (response.status !== 200 || !/^text\/event-stream(?:$|[\s;])/i.test(type)) {
      await response.body?.cancel();
      return false;
    }
    if (signal.aborted) return false;
    this.#state = states.open;
    this.dispatchEvent(new Event("open"));
    await this.#read(response);
    return true;
  }

  async #read({ body, url }: Response): Promise<void> {
    const reader = new EventStreamReader(this.#lastEventId);
    for await (const text of body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const events = reader.push(text);
      this.#lastEventId = reader.lastEventId;
      this.#retryMs = reader.retryMs ?? this.#retryMs;
      for (const { type, data, lastEventId } of events) {
        if (this.#state === states.closed) return;
        this.dispatchEvent(new MessageEvent(type, { data, lastEventId, origin: new URL(url).origin }));
      }
    }
  }
}

defineHandlers(ScopedEventSource.prototype, ["open", "message", "error"]);
for (const [name, value] of Object.entries(states)) {
  Object.defineProperty(ScopedEventSource.prototype, name.toUpperCase(), { value, enumerable: true });
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    }, { once: true });
  });
}
