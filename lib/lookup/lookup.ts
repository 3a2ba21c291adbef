/**
 * L(s, T): the recorded steps with the key of the request at hand (paper III-D).
 *
 * @module
 */

/** What is known of a recorded step before it is read. */
export interface Recorded {
  readonly key: string;
  readonly seq: number;
}

/** What to do when all steps of a key have been served. */
export type OnExhausted = "fail" | "last" | "cycle";

/** A step that answers. */
export interface Hit<Entry extends Recorded> {
  readonly kind: "hit";
  readonly entry: Entry;
}

/** No step answers. */
export interface Miss {
  readonly kind: "miss";
  readonly key: string;
  /** How many steps of this key there were, all served already. */
  readonly usedUp: number;
}

interface Group<Entry> {
  readonly entries: Entry[];
  /** True once every entry has been served and `cycle` began anew. */
  begunAnew: boolean;
  /** Entries before this one are all used. */
  first: number;
}

/** Serves each recorded step once, in order, to whoever asks with its key. */
export class Lookup<Entry extends Recorded> {
  readonly #groups = new Map<string, Group<Entry>>();
  /** Those served since their group began, or began anew; one set, since most groups have one entry. */
  readonly #used = new Set<Entry>();
  readonly #onExhausted: OnExhausted;

  /**
   * Sorts the steps by key.
   *
   * @param entries The recorded steps, in the order of `seq`.
   * @param onExhausted What to do when the steps of a key are used up.
   */
  constructor(entries: readonly Entry[], onExhausted: OnExhausted = "fail") {
    this.#onExhausted = onExhausted;
    for (const entry of entries) {
      const group = this.#groups.get(entry.key);
      if (group === undefined) {
        this.#groups.set(entry.key, { entries: [entry], begunAnew: false, first: 0 });
      } else group.entries.push(entry);
    }
  }

  /**
   * Takes the step that answers a request.
   *
   * @param key K(s) of the request.
   * @param suits Tells whether a step was recorded for a request just like this one. Asked only where there is a choice.
   * @param may Tells whether a step can answer at all; one that cannot counts as having another key.
   * @returns The first unused step that suits, else the first unused, else what `onExhausted` says.
   */
  take(key: string, suits: (entry: Entry) => boolean, may: (entry: Entry) => boolean = () => true): Hit<Entry> | Miss {
    const group = this.#groups.get(key);
    if (group === undefined) return { kind: "miss", key, usedUp: 0 };
    const choice = { suits, may, used: this.#used };
    const entry = firstUnused(group, choice) ?? this.#again(group, choice);
    if (entry === undefined) return { kind: "miss", key, usedUp: group.entries.filter(may).length };
    this.#used.add(entry);
    return { kind: "hit", entry };
  }

  /**
   * Tells what is left over.
   *
   * @returns The steps that nobody has asked for, in no particular order.
   */
  unused(): Entry[] {
    return [...this.#groups.values()].flatMap(({ entries, begunAnew }) =>
      begunAnew ? [] : entries.filter((entry) => !this.#used.has(entry))
    );
  }

  #again(group: Group<Entry>, choice: Choice<Entry>): Entry | undefined {
    switch (this.#onExhausted) {
      case "fail":
        return undefined;
      case "last":
        return group.entries.findLast(choice.may);
      case "cycle":
        for (const entry of group.entries.filter(choice.may)) this.#used.delete(entry);
        group.begunAnew = true;
        group.first = 0;
        return firstUnused(group, choice);
    }
  }
}

interface Choice<Entry> {
  readonly suits: (entry: Entry) => boolean;
  readonly may: (entry: Entry) => boolean;
  readonly used: ReadonlySet<Entry>;
}

function firstUnused<Entry>(group: Group<Entry>, { suits, may, used }: Choice<Entry>): Entry | undefined {
  const { entries } = group;
  let first = entries[group.first];
  while (first !== undefined && used.has(first)) first = entries[++group.first];
  if (first === undefined) return undefined;
  if (group.first === entries.length - 1) return may(first) ? first : undefined;
  let fallback: Entry | undefined;
  for (let index = group.first; index < entries.length; index++) {
    const entry = entries[index];
    if (entry === undefined || used.has(entry) || !may(entry)) continue;
    if (suits(entry)) return entry;
    fallback ??= entry;
  }
  return fallback;
}
