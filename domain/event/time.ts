/** A clock may be this far ahead of ours before its time stamp is not believed (architecture, "Time"). */
export const MAX_AHEAD_MS = 5 * 60_000;

/** Event time as it is used: a time more than 5 minutes in the future becomes the time of receipt; both in ms. */
export const believable = (at: number, receivedAt: number): number =>
  at > receivedAt + MAX_AHEAD_MS ? receivedAt : at;
