/**
 * Rows as they will stand when what was handed to the writer is committed: one generation for each hand-over, and the open one
 * that is being gathered.
 */
export class InFlight<K, V> {
  #open = new Map<K, V>();
  /** Oldest first. */
  #flying: Map<K, V>[] = [];
  readonly #landed: (key: K, value: V) => void;
  readonly #isGathering: () => boolean;

  /** `landed` takes each row of a generation that was committed, and at once what is written while nothing is gathered. */
  constructor(landed: (key: K, value: V) => void, isGathering: () => boolean) {
    this.#landed = landed;
    this.#isGathering = isGathering;
  }

  /** The newest; undefined when nothing in flight changes the row. */
  get(key: K): V | undefined {
    const open = this.#open.get(key);
    if (open !== undefined) return open;
    for (let n = this.#flying.length - 1; n >= 0; n--) {
      const flying = this.#flying[n]!.get(key);
      if (flying !== undefined) return flying;
    }
    return undefined;
  }

  set(key: K, value: V): void {
    if (this.#isGathering()) this.#open.set(key, value);
    else this.#landed(key, value);
  }

  /** What is open flies. */
  handOver(): void {
    this.#flying.push(this.#open);
    this.#open = new Map();
  }

  /** The oldest generation was committed. */
  land(): void {
    const landed = this.#flying.shift();
    if (landed !== undefined) for (const [key, value] of landed) this.#landed(key, value);
  }

  /** The oldest generation was not committed. */
  lose(): void {
    this.#flying.shift();
  }

  /** What is open will not be handed over. */
  abandon(): void {
    this.#open.clear();
  }
}
