import type { Admin } from 'kafkajs';
import { lagOf } from '#infra/kafka/client/lag.ts';
import type { ConsumerGroup } from '#infra/kafka/client/members.ts';

const POLL_MS = 50;

/** How far every group is, when none has anything left to read. */
const quietAt = async (admin: Admin, groups: readonly ConsumerGroup[]): Promise<string | null> => {
  const lags = (await Promise.all(groups.map(({ group, input }) => lagOf(admin, group, input)))).flat();
  return lags.every(({ lag }) => lag === 0) ? lags.map(({ committed }) => committed).join() : null;
};

/** Quiet twice at the same positions: in between nothing was under way, since what is emitted is in the log before the commit. */
export const untilIdle = async (admin: Admin, groups: () => readonly ConsumerGroup[]): Promise<void> => {
  for (let before: string | null = null; ; ) {
    const now = await quietAt(admin, groups());
    if (now !== null && now === before) return;
    before = now;
    if (now === null) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
};
