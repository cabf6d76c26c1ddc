import { setTimeout as sleep } from 'node:timers/promises';
import type { Admin } from 'kafkajs';
import { lagOf } from '#infra/kafka/client/lag.ts';

/** Reading of a processor or sink. */
interface Reading {
  readonly name: string;
  readonly input: string;
}

/** Lag of each of them, in records of its topic. */
export interface Lags {
  read(): Promise<ReadonlyMap<string, number>>;
  /** Waits until no processor is further behind than `most`, twice in a row, at most `limitMs`. */
  gone(most: number, limitMs: number): Promise<Recovery>;
}

interface Recovery {
  /** Null when the time was not enough. */
  readonly ms: number | null;
  /** The last one with a lag, and its lag. */
  readonly last: string;
}

const POLL_MS = 500;
/** The broker may be down. */
const ASK_MS = 15_000;

export const openLags = (admin: Admin, epoch: number, readers: readonly Reading[]): Lags => {
  const lagOfOne = async (name: string, input: string): Promise<[string, number]> => {
    const lags = await lagOf(admin, `faultline.${epoch}.${name}`, input);
    return [name, lags.reduce((sum, { lag }) => sum + lag, 0)];
  };
  const read = async () => new Map(await Promise.all(readers.map(({ name, input }) => lagOfOne(name, input))));
  const late = async (): Promise<null> => {
    await sleep(ASK_MS);
    return null;
  };
  return {
    read,
    async gone(most, limitMs) {
      const began = performance.now();
      let last = 'nobody';
      for (let good = 0; performance.now() - began < limitMs; ) {
        const lags = await Promise.race([read().catch(() => null), late()]);
        const behind = lags === null ? null : [...lags].filter(([, lag]) => lag > most);
        good = behind?.length === 0 ? good + 1 : 0;
        if (good === 2) return { ms: performance.now() - began, last };
        if (good === 0) last = behind?.map((one) => one.join(' ')).join(', ') ?? 'the broker did not say';
        await sleep(POLL_MS);
      }
      return { ms: null, last };
    },
  };
};
