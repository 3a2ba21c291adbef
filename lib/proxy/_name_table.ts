/** 198.18.0.0/15 is set aside for tests of networks (RFC 2544): no name of the world has an address in it. */
const [first, count] = [198 * 2 ** 24 + 18 * 2 ** 16, 2 ** 17];

/** Gives each name an address, and knows the name of each address it gave. */
export class NameTable {
  readonly #addresses = new Map<string, string>();
  readonly #names = new Map<string, string>();
  #next = 1; // the first of the range is a network's own

  /** The address of a name; `null` when all are given away. */
  addressOf(name: string): string | null {
    const known = this.#addresses.get(name);
    if (known !== undefined) return known;
    if (this.#next >= count) return null;
    const address = formatAddress(first + this.#next++);
    this.#addresses.set(name, address);
    this.#names.set(address, name);
    return address;
  }

  /** The name that an address was given to. */
  nameOf(address: string): string | undefined {
    return this.#names.get(address);
  }
}

function formatAddress(value: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join(".");
}
