interface Kept<K, V> {
  readonly key: K;
  value: V;
  weight: number;
  /** Turn in which it went to the end. */
  turn: number;
  before: Kept<K, V> | null;
  after: Kept<K, V> | null;
}

/**
 * Keeps what was used lately, up to a weight; the longest unused goes first. What is used goes to the end of the line only when it is
 * not near it, so that most uses change nothing: of what was used lastly, at least three quarters of the budget are kept. The line is
 * a list of its own: a map that entries leave and enter at every use is made anew again and again.
 */
export class Recent<K, V> {
  readonly #budget: number;
  readonly #weigh: (value: V) => number;
  readonly #mayGo: (value: V) => boolean;
  readonly #kept = new Map<K, Kept<K, V>>();
  #first: Kept<K, V> | null = null;
  #last: Kept<K, V> | null = null;
  #weight = 0;
  #turn = 0;

  /** What may not go stays, beyond the budget if need be. */
  constructor(budget: number, weigh: (value: V) => number, mayGo: (value: V) => boolean = () => true) {
    this.#budget = budget;
    this.#weigh = weigh;
    this.#mayGo = mayGo;
  }

  get(key: K): V | undefined {
    const kept = this.#kept.get(key);
    if (kept === undefined) return undefined;
    if (this.#turn - kept.turn > this.#kept.size / 4) this.#moveToEnd(kept);
    return kept.value;
  }

  set(key: K, value: V): void {
    const weight = this.#weigh(value);
    const known = this.#kept.get(key);
    if (known === undefined) {
      const kept = { key, value, weight, turn: 0, before: null, after: null };
      this.#kept.set(key, kept);
      this.#append(kept);
      this.#weight += weight;
    } else {
      this.#weight += weight - known.weight;
      known.value = value;
      known.weight = weight;
      this.#moveToEnd(known);
    }
    while (this.#weight > this.#budget && this.#first !== null && this.#mayGo(this.#first.value))
      this.#drop(this.#first);
  }

  delete(key: K): void {
    const kept = this.#kept.get(key);
    if (kept !== undefined) this.#drop(kept);
  }

  clear(): void {
    this.#kept.clear();
    this.#first = null;
    this.#last = null;
    this.#weight = 0;
  }

  keepOnly(wanted: (value: V) => boolean): void {
    for (const kept of this.#kept.values()) if (!wanted(kept.value)) this.#drop(kept);
  }

  #drop(kept: Kept<K, V>): void {
    this.#weight -= kept.weight;
    this.#kept.delete(kept.key);
    this.#unlink(kept);
  }

  #moveToEnd(kept: Kept<K, V>): void {
    if (kept === this.#last) kept.turn = ++this.#turn;
    else {
      this.#unlink(kept);
      this.#append(kept);
    }
  }

  #unlink({ before, after }: Kept<K, V>): void {
    if (before === null) this.#first = after;
    else before.after = after;
    if (after === null) this.#last = before;
    else after.before = before;
  }

  #append(kept: Kept<K, V>): void {
    kept.turn = ++this.#turn;
    kept.before = this.#last;
    kept.after = null;
    if (this.#last === null) this.#first = kept;
    else this.#last.after = kept;
    this.#last = kept;
  }
}
