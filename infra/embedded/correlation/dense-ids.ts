const FIRST_SLOTS = 1_024;
const LAST_STAMP = 2 ** 31 - 1;

/** Maps numbers from 0 to 2^31 − 1 to ids 0, 1, 2 … in the order of their first use. Reusable without garbage. */
export class DenseIds {
  /** The number of each id. */
  numbers: number[] = [];
  /** Ids by slot; slots of earlier uses have an older stamp. */
  #slots = new Int32Array(FIRST_SLOTS);
  #stamps = new Int32Array(FIRST_SLOTS);
  #stamp = 1;

  clear(): void {
    this.numbers = [];
    if (this.#stamp === LAST_STAMP) {
      this.#stamps.fill(0);
      this.#stamp = 0;
    }
    this.#stamp += 1;
  }

  /** A new number gets the next id. */
  of(number: number): number {
    const mask = this.#slots.length - 1;
    for (let slot = Math.imul(number, 0x9e3779b1) >>> 7; ; slot++) {
      const at = slot & mask;
      if (this.#stamps[at] !== this.#stamp) return this.#add(number, at);
      const id = this.#slots[at]!;
      if (this.numbers[id] === number) return id;
    }
  }

  #add(number: number, at: number): number {
    const id = this.numbers.push(number) - 1;
    this.#stamps[at] = this.#stamp;
    this.#slots[at] = id;
    if (2 * this.numbers.length > this.#slots.length) this.#grow();
    return id;
  }

  #grow(): void {
    const { numbers } = this;
    this.#slots = new Int32Array(2 * this.#slots.length);
    this.#stamps = new Int32Array(this.#slots.length);
    this.clear();
    for (const number of numbers) this.of(number);
  }
}
