/** A clock may be this far ahead of ours before its time stamp is not believed (architecture, "Time"). */
export const MAX_AHEAD_MS = 5 * 60_000;

/** No monitor of today was there before; ms. */
const EARLIEST = Date.UTC(2015, 0, 1);

/** How far behind the newest event of its tenant a time may be before it is not believed, unless the tenant says otherwise; ms. */
export const MAX_BEHIND_MS = 7 * 24 * 3_600_000;

/**
 * Event time as it is used: the time of receipt for one too far back. `newest`: event time of the tenant's newest event as its stream
 * stood, 0 without one; so all who read the stream agree.
 */
export const timeInStream = (
  at: number,
  newest: number,
  receivedAt: number,
  maxBehindMs: number = MAX_BEHIND_MS,
): number => (at < EARLIEST || at < newest - maxBehindMs ? receivedAt : at);

/** Event time as it is used: a time more than 5 minutes in the future becomes the time of receipt; both in ms. */
export const believable = (at: number, receivedAt: number): number =>
  at > receivedAt + MAX_AHEAD_MS ? receivedAt : at;
