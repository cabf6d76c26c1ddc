/**
 * Keeps what was used lately, up to a weight. Two generations: what is used moves to the young one, and when that is
 * half the budget the old one is dropped, so nothing is sorted.
 */
export class Recent<K, V> {
  readonly #half: number;
  #young = new Map<K, V>();
  #old = new Map<K, V>();
  #weight = 0;
  readonly #weigh: (value: V) => number;

  constructor(budget: number, weigh: (value: V) => number) {
    this.#half = budget / 2;
    this.#weigh = weigh;
  }

  get(key: K): V | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.#add(key, old);
    return old;
  }

  set(key: K, value: V): void {
    const before = this.#young.get(key);
    if (before !== undefined) this.#weight -= this.#weigh(before);
    this.#add(key, value);
  }

  delete(key: K): void {
    const young = this.#young.get(key);
    if (young !== undefined) this.#weight -= this.#weigh(young);
    this.#young.delete(key);
    this.#old.delete(key);
  }

  clear(): void {
    this.#young.clear();
    this.#old.clear();
    this.#weight = 0;
  }

  #add(key: K, value: V): void {
    this.#weight += this.#weigh(value);
    if (this.#weight > this.#half) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#weight = this.#weigh(value);
    }
    this.#young.set(key, value);
  }
}
