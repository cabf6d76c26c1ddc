import type { PartitionReport, ProcessorReport, Trouble } from '#domain/ports/operations.ts';

/** Partitions of a processor at some time, monotonic ms. */
interface Observation {
  readonly at: number;
  readonly partitions: readonly PartitionReport[];
}

/** Time for which a processor may stall, and over which its lag is compared. */
const MINUTE_MS = 60_000;
/** Minimum between two remembered observations. */
const STEP_MS = 5_000;
/** Records; the same threshold as that of the lag alert. */
const MUCH = 10_000;

const lagOf = (partitions: readonly PartitionReport[]): number => partitions.reduce((sum, { lag }) => sum + lag, 0);
const list = (partitions: readonly PartitionReport[]): string =>
  partitions.map(({ partition }) => partition).join(', ');

const missing = ({ members, partitions }: ProcessorSample): Trouble | null => {
  const waiting = `${lagOf(partitions)} records queued`;
  if (members.length === 0) return { kind: 'missing', detail: `no process runs it; ${waiting}` };
  const unread = partitions.filter(({ member }) => member === null);
  if (unread.length === 0) return null;
  return { kind: 'missing', detail: `no consumer for partition ${list(unread)}; ${waiting}` };
};

/** Partitions that had records to read a minute ago and are where they were. */
const stalled = (partitions: readonly PartitionReport[], before: Observation): Trouble | null => {
  const then = new Map(before.partitions.map((one) => [one.partition, one]));
  const still = partitions.filter(({ partition, position, lag }) => {
    const known = then.get(partition);
    return lag > 0 && known !== undefined && known.lag > 0 && known.position === position;
  });
  if (still.length === 0) return null;
  return {
    kind: 'standing',
    detail: `no progress in partition ${list(still)} for a minute; ${lagOf(still)} records queued`,
  };
};

const behind = (partitions: readonly PartitionReport[], before: Observation): Trouble | null => {
  const [lag, then] = [lagOf(partitions), lagOf(before.partitions)];
  return lag > MUCH && lag > then ? { kind: 'behind', detail: `${lag} records behind, ${then} a minute ago` } : null;
};

type ProcessorSample = Pick<ProcessorReport, 'members' | 'partitions' | 'lastError' | 'paused'>;

/** Compares the partitions of one processor over the last two minutes and reports a stall or a growing lag. */
export class StallDetector {
  #observations: readonly Observation[] = [];

  /** `now`: monotonic ms. */
  check(seen: ProcessorSample, now: number): Trouble | null {
    const before = this.#observations.findLast(({ at }) => at <= now - MINUTE_MS);
    this.#remember(seen, now);
    const failing: Trouble | null =
      seen.lastError === null ? null : { kind: 'failing', detail: seen.lastError.message };
    const gone = missing(seen) ?? failing;
    if (gone !== null || before === undefined || seen.paused !== null) return gone;
    return stalled(seen.partitions, before) ?? behind(seen.partitions, before);
  }

  #remember({ partitions }: ProcessorSample, now: number): void {
    const newest = this.#observations.at(-1);
    if (newest !== undefined && now - newest.at < STEP_MS) return;
    this.#observations = [...this.#observations.filter(({ at }) => at > now - 2 * MINUTE_MS), { at: now, partitions }];
  }
}
