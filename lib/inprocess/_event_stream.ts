/** One event of a stream. */
export interface StreamEvent {
  readonly type: string;
  readonly data: string;
  readonly lastEventId: string;
}

/** Reads an event stream, cut anywhere (HTML 9.2.6). */
export class EventStreamReader {
  #rest = "";
  #data: string[] = [];
  #type = "";
  #id: string;
  #toldId: string;
  #retryMs: number | null = null;

  /** @param lastEventId Of the connection before. */
  constructor(lastEventId: string) {
    this.#id = lastEventId;
    this.#toldId = lastEventId;
  }

  /** Of the last event that came whole: what a next connection says. */
  get lastEventId(): string {
    return this.#toldId;
  }

  /** How long the server wants a client to wait; `null` where it did not say. */
  get retryMs(): number | null {
    return this.#retryMs;
  }

  /**
   * Takes the next characters.
   *
   * @returns The events that are whole now.
   */
  push(text: string): StreamEvent[] {
    const all = this.#rest + text;
    // A carriage return at the very end may be half of a line's end.
    const usable = all.endsWith("\r") ? all.length - 1 : all.length;
    const lines = all.slice(0, usable).split(/\r\n|\n|\r/);
    this.#rest = (lines.pop() ?? "") + all.slice(usable);
    return lines.flatMap((line) => this.#takeLine(line));
  }

  #takeLine(line: string): StreamEvent[] {
    if (line === "") return this.#dispatch();
    const colon = line.indexOf(":");
    if (colon === 0) return [];
    const name = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (name === "data") this.#data.push(value);
    else if (name === "event") this.#type = value;
    else if (name === "id" && !value.includes("\0")) this.#id = value;
    else if (name === "retry" && /^\d+$/.test(value)) this.#retryMs = Number(value);
    return [];
  }

  #dispatch(): StreamEvent[] {
    const data = this.#data;
    const type = this.#type || "message";
    this.#data = [];
    this.#type = "";
    this.#toldId = this.#id;
    return data.length === 0 ? [] : [{ type, data: data.join("\n"), lastEventId: this.#id }];
  }
}
