/** All chance of a game, drawn from the eight bytes that the arena gives for it (splitmix64). */
export class Random {
  #state: bigint;

  constructor(seed: Buffer) {
    this.#state = 0n;
    for (const byte of seed) this.#state = BigInt.asUintN(64, (this.#state << 8n) | BigInt(byte));
  }

  /** The next 64 bits. */
  next(): bigint {
    this.#state = BigInt.asUintN(64, this.#state + 0x9e3779b97f4a7c15n);
    let mixed = this.#state;
    mixed = BigInt.asUintN(64, (mixed ^ (mixed >> 30n)) * 0xbf58476d1ce4e5b9n);
    mixed = BigInt.asUintN(64, (mixed ^ (mixed >> 27n)) * 0x94d049bb133111ebn);
    return mixed ^ (mixed >> 31n);
  }

  /** A whole number from 0 to `bound` - 1. */
  below(bound: number): number {
    return Number((this.next() * BigInt(bound)) >> 64n);
  }
}
