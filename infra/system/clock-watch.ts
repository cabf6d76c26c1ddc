export interface ClockWatchOptions {
  /** Epoch ms. */
  now(): number;
  /** Monotonic ms. */
  monotonic(): number;
  readonly log: { warn(fields: object, message: string): void };
}

/** Clocks that are kept by NTP drift by less in a day. */
const JUMP_MS = 60_000;

/** Says when the clock of the machine was set: events without a time of their own are stamped with it. */
export const watchClock = ({ now, monotonic, log }: ClockWatchOptions): (() => void) => {
  let before = now() - monotonic();
  return () => {
    const difference = now() - monotonic();
    const jumpSeconds = Math.round((difference - before) / 1000);
    if (Math.abs(jumpSeconds) * 1000 >= JUMP_MS)
      log.warn({ jumpSeconds }, 'the clock of this machine was set, or the machine slept; events are stamped with it');
    before = difference;
  };
};
