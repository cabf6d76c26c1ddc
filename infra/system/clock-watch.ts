export interface ClockWatchOptions {
  /** Epoch ms. */
  now(): number;
  /** Monotonic ms. */
  monotonic(): number;
  readonly log: { warn(fields: object, message: string): void };
}

const LOOK_MS = 10_000;
/** Clocks that are kept by NTP drift by less in a day. */
const JUMP_MS = 60_000;

/** Says when the clock of the machine was set: events without a time of their own are stamped with it. Returns the stop. */
export const watchClock = ({ now, monotonic, log }: ClockWatchOptions) => {
  let before = now() - monotonic();
  const look = (): void => {
    const difference = now() - monotonic();
    const jumpSeconds = Math.round((difference - before) / 1000);
    if (Math.abs(jumpSeconds) * 1000 >= JUMP_MS)
      log.warn({ jumpSeconds }, 'the clock of this machine was set, or the machine slept; events are stamped with it');
    before = difference;
  };
  const timer = setInterval(look, LOOK_MS).unref();
  return { look, stop: () => clearInterval(timer) };
};
