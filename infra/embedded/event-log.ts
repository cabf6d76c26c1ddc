import { Fault } from '#domain/fault.ts';
import type { EventLog } from '#domain/ports/event-log.ts';
import type { Metrics } from '#domain/ports/metrics.ts';
import { measureReceipts } from '#infra/measure-steps.ts';
import { within } from '#infra/wait.ts';
import type { Runner } from './runner/runner.ts';

/** Appends are acknowledged when their batch is durable, so `append` waits as `request` does. */
const APPEND_TIMEOUT_MS = 30_000;
const CATCH_UP_MS = 10_000;

const behind = (why: string): Fault =>
  new Fault('unavailable', `Accepted events are not readable yet: ${why}. Retry later`, [], { retryAfter: 2 });

const inTime = async (work: Promise<void>, ms: number): Promise<void> => {
  try {
    await within(ms, work, () => new Error(`timed out after ${ms} ms`));
  } catch (error) {
    throw behind((error as Error).message);
  }
};

/** The part of the database that the log needs. */
export interface Applying {
  /** True when nothing durable is missing in the file. */
  readonly isApplied: boolean;
  applied(): Promise<void>;
}

export const openEventLog = (
  runner: Runner,
  database: Applying,
  metrics: Pick<Metrics, 'observe' | 'count'>,
): EventLog => {
  const caughtUp = (): Promise<void> =>
    database.isApplied ? Promise.resolve() : inTime(database.applied(), CATCH_UP_MS);
  return {
    room: () => runner.room(),
    caughtUp,
    async append(tenant, records) {
      await runner.submit(tenant, records, APPEND_TIMEOUT_MS);
    },
    request: (tenant, records, { timeoutMs }) =>
      measureReceipts(metrics, timeoutMs, async () => ({
        done: true,
        receipts: await runner.submit(tenant, records, timeoutMs),
      })),
  };
};
