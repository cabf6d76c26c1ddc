import { itemAt } from '#domain/assert.ts';
import type { LiveChange } from '#domain/live/live-change.ts';

/** A change with its place. */
export interface PlacedChange {
  readonly lane: number;
  readonly number: number;
  readonly change: LiveChange;
}

/** The last changes of a tenant, over all lanes; the oldest leave first. */
export class Ring {
  readonly #most: number;
  readonly #kept: PlacedChange[] = [];
  /** Place of the oldest once the ring is full. */
  #oldest = 0;
  /** The last number that may be missing here, by lane: all later ones are stored. */
  readonly #missing: number[];

  /** `from`: by lane, the number of the last change before the first that is added. */
  constructor(from: readonly number[], most: number) {
    this.#missing = [...from];
    this.#most = most;
  }

  /** Numbers of a lane never fall. */
  add(placed: PlacedChange): void {
    if (this.#kept.length < this.#most) {
      this.#kept.push(placed);
      return;
    }
    const { lane, number } = itemAt(this.#kept, this.#oldest);
    this.#missing[lane] = number;
    this.#kept[this.#oldest] = placed;
    this.#oldest = (this.#oldest + 1) % this.#most;
  }

  /** Entries added after these numbers, oldest first; null when some of them are dropped. */
  after(lanes: readonly number[]): PlacedChange[] | null {
    if (lanes.length !== this.#missing.length) return null;
    if (lanes.some((number, lane) => number < (this.#missing[lane] ?? -Infinity))) return null;
    const inOrder = [...this.#kept.slice(this.#oldest), ...this.#kept.slice(0, this.#oldest)];
    return inOrder.filter(({ lane, number }) => number > (lanes[lane] ?? Infinity));
  }
}
