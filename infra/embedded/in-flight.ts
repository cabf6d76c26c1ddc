interface Flying<V> {
  readonly value: V;
  readonly flight: number;
}

/** Rows as they will stand when what was handed to the writer is in the file. */
export class InFlight<K, V> {
  /** Being gathered. */
  #open = new Map<K, V>();
  /** The newest of each row. */
  readonly #newest = new Map<K, Flying<V>>();
  readonly #keys = new Map<number, readonly K[]>();
  readonly #landed: (key: K, value: V) => void;
  readonly #isGathering: () => boolean;

  /** `landed` takes the newest of each row when it is in the file, and at once what is written while nothing is gathered. */
  constructor(landed: (key: K, value: V) => void, isGathering: () => boolean) {
    this.#landed = landed;
    this.#isGathering = isGathering;
  }

  /** The newest; undefined when nothing in flight changes the row. */
  get(key: K): V | undefined {
    return this.#open.get(key) ?? this.#newest.get(key)?.value;
  }

  set(key: K, value: V): void {
    if (this.#isGathering()) this.#open.set(key, value);
    else this.#landed(key, value);
  }

  /** What is open flies, under a number of its own. */
  handOver(flight: number): void {
    if (this.#open.size === 0) return;
    this.#keys.set(flight, [...this.#open.keys()]);
    for (const [key, value] of this.#open) this.#newest.set(key, { value, flight });
    this.#open.clear();
  }

  /** The flight is in the file. */
  land(flight: number): void {
    this.#end(flight, this.#landed);
  }

  /** The flight will never be in the file. What older ones made of its rows is found there when they have landed. */
  lose(flight: number): void {
    this.#end(flight, () => {});
  }

  /** What is open will not be handed over. */
  abandon(): void {
    this.#open.clear();
  }

  #end(flight: number, take: (key: K, value: V) => void): void {
    for (const key of this.#keys.get(flight) ?? []) {
      const newest = this.#newest.get(key);
      if (newest?.flight !== flight) continue;
      this.#newest.delete(key);
      take(key, newest.value);
    }
    this.#keys.delete(flight);
  }
}
