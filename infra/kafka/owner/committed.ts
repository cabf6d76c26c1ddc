import type { Admin } from 'kafkajs';
import { Fault } from '#domain/fault.ts';
import { within } from '#infra/wait.ts';
import type { Commit } from './commits.ts';

interface Reader {
  readonly group: string;
  readonly topic: string;
}

/** The session time of a group: with available brokers it needs milliseconds. */
const LONGEST_MS = 10_000;

/**
 * Returns null when the group has committed nothing. Throws Fault `unavailable` when no broker answers: the partition
 * is opened again later.
 */
export const committedOf = async (
  admin: Pick<Admin, 'fetchOffsets'>,
  { group, topic }: Reader,
  partition: number,
  longestMs = LONGEST_MS,
): Promise<Commit | null> => {
  const words = `Couldn't get the committed offset of ${group} for ${topic}, partition ${partition} within ${longestMs / 1_000}s`;
  const late = (): Fault => new Fault('unavailable', words, [], { retryAfter: 5 });
  const [found] = await within(longestMs, admin.fetchOffsets({ groupId: group, topics: [topic] }), late);
  const own = found?.partitions.find((one) => one.partition === partition);
  const offset = Number(own?.offset ?? -1);
  return offset < 0 ? null : { offset, metadata: own?.metadata ?? '' };
};
