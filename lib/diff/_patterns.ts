/** Names by pattern: exact ones at once, those with a star one after the other; the earliest line decides. */
export class PatternTable<Rule extends { readonly names: readonly string[] }> {
  readonly #exact = new Map<string, [order: number, rule: Rule][]>();
  readonly #starred: [order: number, pattern: RegExp, rule: Rule][] = [];

  constructor(rules: readonly Rule[]) {
    for (const [order, rule] of rules.entries()) {
      for (const name of rule.names) {
        if (name.includes("*")) this.#starred.push([order, toPattern(name), rule]);
        else this.#exact.set(name, [...this.#exact.get(name) ?? [], [order, rule]]);
      }
    }
  }

  /** The rules that name it, in the order of the table. */
  find(name: string): Rule[] {
    const exact = this.#exact.get(name) ?? [];
    const starred = this.#starred.filter(([, pattern]) => pattern.test(name)).map(([order, , rule]) =>
      [order, rule] as const
    );
    return [...exact, ...starred].sort(([a], [b]) => a - b).map(([, rule]) => rule);
  }
}

/** A name in which a star stands for any characters, as a regular expression over the whole. */
export function toPattern(name: string, flags = ""): RegExp {
  const source = name.split("*").map((part) => part.replace(/[\\^$.+?()[\]{}|/-]/g, "\\$&")).join(".*");
  return new RegExp(`^${source}$`, flags);
}
