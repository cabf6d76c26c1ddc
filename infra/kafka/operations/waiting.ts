import type { PartitionLag } from '#infra/kafka/client/lag.ts';

/** Where a partition ended at some time, monotonic ms. */
interface EndOffset {
  readonly at: number;
  readonly end: number;
}

const STEP_MS = 5_000;
const MAX_OFFSETS = 1_000;

/** Over some hours one offset a minute is enough. */
const thinned = (seen: readonly EndOffset[]): EndOffset[] =>
  seen.length <= MAX_OFFSETS ? [...seen] : seen.filter((_, place) => place % 2 === 0);

/** Since when the oldest record waits that a processor has not done, as far as this process has seen. */
export class Waiting {
  readonly #seen = new Map<number, EndOffset[]>();

  /** How long it has waited at least, ms, by partition; 0 where none waits. `now`: monotonic ms. */
  measure(lags: readonly PartitionLag[], now: number): ReadonlyMap<number, number> {
    return new Map(lags.map((lag) => [lag.partition, this.#ageOf(lag, now)]));
  }

  #ageOf({ partition, committed, end }: PartitionLag, now: number): number {
    const known = this.#seen.get(partition) ?? [];
    // Waiters at or before the position are done.
    const done = known.findIndex((one) => one.end > committed);
    const left = done === -1 ? [] : known.slice(done);
    const newest = left.at(-1);
    const isNew = newest === undefined || (now - newest.at >= STEP_MS && end > newest.end);
    if (isNew && end > committed) left.push({ at: now, end });
    this.#seen.set(partition, thinned(left));
    return left[0] === undefined ? 0 : now - left[0].at;
  }
}
