import type { PartitionLag } from '#infra/kafka/client/lag.ts';

/** Where a partition ended at some time, monotonic ms. */
interface Sight {
  readonly at: number;
  readonly end: number;
}

const STEP_MS = 5_000;
const MOST_SIGHTS = 1_000;

/** Of some hours one sight a minute says enough. */
const thinned = (sights: readonly Sight[]): Sight[] =>
  sights.length <= MOST_SIGHTS ? [...sights] : sights.filter((_, place) => place % 2 === 0);

/** Since when the oldest record waits that a processor has not done, as far as this process has seen. */
export class Waiting {
  readonly #sights = new Map<number, Sight[]>();

  /** How long it has waited at least, ms, by partition; 0 where none waits. `now`: monotonic ms. */
  look(lags: readonly PartitionLag[], now: number): ReadonlyMap<number, number> {
    return new Map(lags.map((lag) => [lag.partition, this.#ageOf(lag, now)]));
  }

  #ageOf({ partition, committed, end }: PartitionLag, now: number): number {
    const known = this.#sights.get(partition) ?? [];
    // What ended at or before the position is done.
    const done = known.findIndex((sight) => sight.end > committed);
    const left = done === -1 ? [] : known.slice(done);
    const newest = left.at(-1);
    const isNew = newest === undefined || (now - newest.at >= STEP_MS && end > newest.end);
    if (isNew && end > committed) left.push({ at: now, end });
    this.#sights.set(partition, thinned(left));
    return left[0] === undefined ? 0 : now - left[0].at;
  }
}
