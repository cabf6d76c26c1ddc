/** CIs around one, layer by layer, the nearest first, with a maximum; their neighbors are read from a store. */
export class GrowingArea {
  readonly #seen: Set<string>;
  readonly #limit: number;
  #frontier: readonly string[];
  #truncated = false;

  constructor(start: string, limit: number) {
    this.#seen = new Set([start]);
    this.#frontier = [start];
    this.#limit = limit;
  }

  /** CIs whose neighbors are to be read next; empty: there are no more. */
  get frontier(): readonly string[] {
    return this.#frontier;
  }
  /** Number of neighbors that proves that the maximum is exceeded, since only known CIs may repeat. */
  get most(): number {
    return this.#limit + this.#seen.size + 1;
  }
  get ids(): readonly string[] {
    return [...this.#seen];
  }
  get truncated(): boolean {
    return this.#truncated;
  }

  /** Adds the neighbors of the frontier, in the order of their ids. */
  take(neighbours: readonly string[]): void {
    const found = [...new Set(neighbours)].filter((id) => !this.#seen.has(id));
    const taken = found.slice(0, this.#limit - this.#seen.size);
    for (const id of taken) this.#seen.add(id);
    this.#truncated ||= taken.length < found.length;
    this.#frontier = this.#truncated ? [] : taken;
  }
}
