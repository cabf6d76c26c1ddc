import type { Admin } from 'kafkajs';
import { lagOf } from '#infra/kafka/client/lag.ts';
import type { ConsumerGroup } from '#infra/kafka/client/members.ts';
import { pause } from '#infra/wait.ts';

const POLL_MS = 50;

/** True if the records of a partition wait for their time. */
type IsWaiting = (group: string, partition: number) => boolean;

/** Returns the position of every group, when none has anything left to read. */
const quietAt = async (
  admin: Admin,
  groups: readonly ConsumerGroup[],
  isWaiting: IsWaiting,
): Promise<string | null> => {
  const read = groups.map(async ({ group, input }) =>
    (await lagOf(admin, group, input)).map((lag) => ({ ...lag, isWaiting: isWaiting(group, lag.partition) })),
  );
  const lags = (await Promise.all(read)).flat();
  const isQuiet = lags.every(({ lag, isWaiting: waits }) => lag === 0 || waits);
  return isQuiet ? lags.map(({ committed }) => committed).join() : null;
};

/**
 * Quiet twice at the same positions: in between nothing was in flight, since outputs are in the log before the commit.
 */
export const untilIdle = async (
  admin: Admin,
  groups: readonly ConsumerGroup[],
  isWaiting: IsWaiting = () => false,
): Promise<void> => {
  for (let before: string | null = null; ; ) {
    const now = await quietAt(admin, groups, isWaiting);
    if (now !== null && now === before) return;
    before = now;
    if (now === null) await pause(POLL_MS);
  }
};
