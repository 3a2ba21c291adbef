import type { Header, ResponseHead } from "../step/mod.ts";
import type { Side } from "./_relay_channels.ts";
import type { EmissionMeter } from "./emission_meter.ts";
import type { AnswerWitness, Channel, ResponseSink } from "./exchange.ts";

/** Takes an answer aside on its way to the client. */
export interface AnswerTap extends AnswerWitness {
  head(head: ResponseHead): void;
  /** @returns The disk's back-pressure. */
  body(bytes: Uint8Array): Promise<void> | undefined;
  /** @param clientGone It was not there any more to be told. */
  end(trailers: readonly Header[], clientGone: boolean): void;
  abort(code: number | undefined): void;
  /** @returns What takes the switched connection aside; `null` where nothing of it is kept. */
  switched(head: ResponseHead): ChannelTap | null;
}

/** Takes aside what passes on a switched connection. */
export interface ChannelTap {
  /** @returns The disk's back-pressure. */
  bytes(from: Side, bytes: Uint8Array): Promise<void> | undefined;
  /** Called with each side that ends or breaks, the first one first. */
  ended(first: Side, broken: boolean): void;
}

/** A client's sink with a tap on it: the live bytes go first. */
export class KeptSink implements ResponseSink {
  readonly upgrade?: (head: ResponseHead) => Channel;
  readonly retire?: () => void;
  readonly witness: AnswerWitness;
  readonly #sink: ResponseSink;
  readonly #tap: AnswerTap;

  constructor(sink: ResponseSink, tap: AnswerTap) {
    this.#sink = sink;
    this.#tap = tap;
    this.witness = tap;
    const { upgrade, retire } = sink;
    if (upgrade !== undefined) this.upgrade = (head) => this.#switch(upgrade.call(sink, head), head);
    if (retire !== undefined) this.retire = () => retire.call(sink);
  }

  get closed(): boolean {
    return this.#sink.closed;
  }

  get meter(): EmissionMeter | null {
    return this.#sink.meter;
  }

  set meter(meter: EmissionMeter | null) {
    this.#sink.meter = meter;
  }

  sendContinue(): void {
    this.#sink.sendContinue();
  }

  sendInformation(status: number, headers: readonly Header[]): void {
    this.#sink.sendInformation(status, headers);
  }

  sendHead(head: ResponseHead): void {
    this.#sink.sendHead(head);
    this.#tap.head(head);
  }

  flush(): void {
    this.#sink.flush();
  }

  write(bytes: Uint8Array): Promise<void> | undefined {
    const wrote = this.#sink.closed ? undefined : this.#sink.write(bytes);
    return both(wrote, this.#tap.body(bytes));
  }

  end(trailers: readonly Header[]): void {
    const clientGone = this.#sink.closed;
    if (!clientGone) this.#sink.end(trailers);
    this.#tap.end(trailers, clientGone);
  }

  abort(code?: number): void {
    this.#sink.abort(code);
    this.#tap.abort(code);
  }

  #switch(channel: Channel, head: ResponseHead): Channel {
    const tap = this.#tap.switched(head);
    return tap === null ? channel : tapped(channel, tap);
  }
}

function tapped(channel: Channel, tap: ChannelTap): Channel {
  return {
    incoming: tappedPieces(channel, tap),
    write: (bytes) => both(channel.write(bytes), tap.bytes("server", bytes)),
    end() {
      tap.ended("server", false);
      channel.end();
    },
    abort() {
      tap.ended("server", true);
      channel.abort();
    },
  };
}

async function* tappedPieces(channel: Channel, tap: ChannelTap): AsyncGenerator<Uint8Array> {
  let broken = true;
  try {
    for await (const bytes of channel.incoming) {
      const copied = tap.bytes("client", bytes); // before it is answered: frames are kept in the order of their passing
      if (copied !== undefined) await copied;
      yield bytes;
    }
    broken = false;
  } finally {
    tap.ended("client", broken);
  }
}

/** What both wait for. */
function both(one: Promise<void> | undefined, other: Promise<void> | undefined): Promise<void> | undefined {
  if (one === undefined) return other;
  return other === undefined ? one : Promise.all([one, other]).then(() => {});
}
