/** The only place of the console that reads the clock of the browser. */
export interface BrowserClock {
  /** Time of the server as far as it is known, epoch ms. */
  readonly now: () => number;
  /** Time of this computer: the same in all tabs, whatever they have heard of the server. */
  readonly own: () => number;
  /** Tells the time of the server, ISO 8601, so that ages are right on a computer whose clock is wrong. */
  readonly setServerTime: (at: string) => void;
}

/** Smaller differences are the way of the reply. */
const LEAST_SKEW_MS = 2_000;

export const openClock = (ownTime: () => number = () => Date.now()): BrowserClock => {
  let skewMs = 0;
  return {
    now: () => ownTime() + skewMs,
    own: ownTime,
    setServerTime(at) {
      const skew = Date.parse(at) - ownTime();
      skewMs = Number.isFinite(skew) && Math.abs(skew) > LEAST_SKEW_MS ? skew : 0;
    },
  };
};
