const FIRST_SLOTS = 1_024;
const LAST_STAMP = 2 ** 31 - 1;

/** Numbers from 0 to 2^31 − 1, each with the place at which it was first asked for. Used again and again without leaving garbage. */
export class Places {
  /** In the order in which they came. */
  numbers: number[] = [];
  /** Places by slot; slots of earlier uses hold an older stamp. */
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

  /** A number that is new gets the next place. */
  of(number: number): number {
    const mask = this.#slots.length - 1;
    for (let slot = Math.imul(number, 0x9e3779b1) >>> 7; ; slot++) {
      const at = slot & mask;
      if (this.#stamps[at] !== this.#stamp) return this.#add(number, at);
      const place = this.#slots[at]!;
      if (this.numbers[place] === number) return place;
    }
  }

  #add(number: number, at: number): number {
    const place = this.numbers.push(number) - 1;
    this.#stamps[at] = this.#stamp;
    this.#slots[at] = place;
    if (2 * this.numbers.length > this.#slots.length) this.#grow();
    return place;
  }

  #grow(): void {
    const { numbers } = this;
    this.#slots = new Int32Array(2 * this.#slots.length);
    this.#stamps = new Int32Array(this.#slots.length);
    this.clear();
    for (const number of numbers) this.of(number);
  }
}
