import { setTimeout as sleep } from 'node:timers/promises';
import type { Admin } from 'kafkajs';
import { lagOf } from '#infra/kafka/lag.ts';
import { pipeline } from '#processors/pipeline.ts';

/** How far behind each processor is, in records of its topic. */
export interface Lags {
  read(): Promise<ReadonlyMap<string, number>>;
  /** Milliseconds until no processor is further behind than `most`, twice in a row; null when `limitMs` was not enough. */
  gone(most: number, limitMs: number): Promise<number | null>;
}

const POLL_MS = 500;
/** The broker may be down. */
const ASK_MS = 15_000;

export const openLags = (admin: Admin, epoch: number): Lags => {
  const lagOfOne = async (name: string, input: string): Promise<[string, number]> => {
    const lags = await lagOf(admin, `faultline.${epoch}.${name}`, input);
    return [name, lags.reduce((sum, { lag }) => sum + lag, 0)];
  };
  const read = async () => new Map(await Promise.all(pipeline.map(({ name, input }) => lagOfOne(name, input))));
  const late = async (): Promise<null> => {
    await sleep(ASK_MS);
    return null;
  };
  return {
    read,
    async gone(most, limitMs) {
      const began = performance.now();
      for (let good = 0; performance.now() - began < limitMs; ) {
        const lags = await Promise.race([read().catch(() => null), late()]);
        good = lags !== null && [...lags.values()].every((lag) => lag <= most) ? good + 1 : 0;
        if (good === 2) return performance.now() - began;
        await sleep(POLL_MS);
      }
      return null;
    },
  };
};
