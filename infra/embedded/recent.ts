interface Kept<V> {
  value: V;
  weight: number;
  /** Turn in which it went to the end. */
  turn: number;
}

/**
 * Keeps what was used lately, up to a weight; the longest unused goes first. What is used goes to the end of the line only when it is
 * not near it, so that most uses change nothing: of what was used lastly, at least three quarters of the budget are kept.
 */
export class Recent<K, V> {
  readonly #budget: number;
  readonly #weigh: (value: V) => number;
  readonly #kept = new Map<K, Kept<V>>();
  #weight = 0;
  #turn = 0;

  constructor(budget: number, weigh: (value: V) => number) {
    this.#budget = budget;
    this.#weigh = weigh;
  }

  get(key: K): V | undefined {
    const kept = this.#kept.get(key);
    if (kept === undefined) return undefined;
    if (this.#turn - kept.turn > this.#kept.size / 4) {
      this.#kept.delete(key);
      this.#toEnd(key, kept);
    }
    return kept.value;
  }

  set(key: K, value: V): void {
    this.delete(key);
    const weight = this.#weigh(value);
    this.#weight += weight;
    this.#toEnd(key, { value, weight, turn: 0 });
    for (const oldest of this.#kept.keys()) {
      if (this.#weight <= this.#budget) break;
      this.delete(oldest);
    }
  }

  delete(key: K): void {
    const kept = this.#kept.get(key);
    if (kept === undefined) return;
    this.#weight -= kept.weight;
    this.#kept.delete(key);
  }

  clear(): void {
    this.#kept.clear();
    this.#weight = 0;
  }

  #toEnd(key: K, kept: Kept<V>): void {
    kept.turn = ++this.#turn;
    this.#kept.set(key, kept);
  }
}
