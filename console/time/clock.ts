/** The only place of the console that reads the clock of the browser. */
export interface BrowserClock {
  /** Time of the server as far as it is known, epoch ms. */
  readonly now: () => number;
  /** Returns the time of this computer: the same in all tabs, regardless of the server. */
  readonly own: () => number;
  /** Receives the time of the server, ISO 8601, so that ages are right on a computer whose clock is wrong. */
  readonly setServerTime: (at: string) => void;
}

/** Smaller differences are caused by latency. */
const MIN_SKEW_MS = 2_000;

export const openClock = (ownTime: () => number = () => Date.now()): BrowserClock => {
  let skewMs = 0;
  return {
    now: () => ownTime() + skewMs,
    own: ownTime,
    setServerTime(at) {
      const skew = Date.parse(at) - ownTime();
      skewMs = Number.isFinite(skew) && Math.abs(skew) > MIN_SKEW_MS ? skew : 0;
    },
  };
};
