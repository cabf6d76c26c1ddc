import { float64At, int32At } from '#domain/assert.ts';

/** Weights by pairs of nodes, in tables that are as large as they will ever be: one that grows holds everything up while it moves. */
export class PairTable {
  /** Keys plus one; 0 where nothing stands. */
  readonly #keys: Float64Array;
  readonly #weights: Float64Array;
  readonly #mask: number;
  readonly #nodes: number;
  /** Places in the order of insertion. */
  readonly #places: Int32Array;
  count = 0;

  /** Creates a table for up to `most` pairs. */
  constructor(nodes: number, most: number) {
    const size = 2 ** Math.ceil(Math.log2(2 * most + 2));
    this.#keys = new Float64Array(size);
    this.#weights = new Float64Array(size);
    this.#mask = size - 1;
    this.#nodes = nodes;
    this.#places = new Int32Array(most);
  }

  /** Stores the greater weight. True when the pair is new. */
  put(one: number, other: number, weight: number): boolean {
    const key = Math.min(one, other) * this.#nodes + Math.max(one, other) + 1;
    let place = (Math.imul(one ^ other, 0x9e3779b1) ^ Math.imul(Math.max(one, other), 0x85ebca6b)) >>> 7;
    for (place &= this.#mask; this.#keys[place] !== 0; place = (place + 1) & this.#mask) {
      if (this.#keys[place] !== key) continue;
      if (weight > float64At(this.#weights, place)) this.#weights[place] = weight;
      return false;
    }
    this.#keys[place] = key;
    this.#weights[place] = weight;
    this.#places[this.count] = place;
    this.count += 1;
    return true;
  }

  /** Returns the n-th inserted pair: its smaller node, its greater one, its weight. */
  smaller(n: number): number {
    return Math.floor((float64At(this.#keys, int32At(this.#places, n)) - 1) / this.#nodes);
  }
  greater(n: number): number {
    return (float64At(this.#keys, int32At(this.#places, n)) - 1) % this.#nodes;
  }
  weight(n: number): number {
    return float64At(this.#weights, int32At(this.#places, n));
  }
}
