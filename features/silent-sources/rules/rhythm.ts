/** Activity of a source; times in ms. */
export interface SourceRhythm {
  /** Start of its activity without a longer gap than `MAX_GAP_MS`. */
  readonly since: number;
  /** Its last message. */
  readonly last: number;
  /** Id of the event about its silence; null: it sends, or is not known to send regularly. */
  readonly event: string | null;
}

const MINUTE_MS = 60_000;
/** A source without longer gaps sends regularly: silence of three gaps is none of its pauses. */
export const MAX_GAP_MS = 5 * MINUTE_MS;
export const SILENT_AFTER_MS = 3 * MAX_GAP_MS;
/** Duration of regular activity after which an absence is reported. Storms are shorter as a rule. */
export const REGULAR_AFTER_MS = 60 * MINUTE_MS;

/** Returns the rhythm with the time of the last message, and its event as it was. */
export const heardAt = (before: SourceRhythm | undefined, last: number): SourceRhythm => {
  if (before === undefined) return { since: last, last, event: null };
  if (last <= before.last) return before;
  return { ...before, since: last - before.last > MAX_GAP_MS ? last : before.since, last };
};

/** True if it sent regularly and has stopped. `listeningSince`: no message could be received before, ms. */
export const isSilent = (
  { since, last }: SourceRhythm,
  { now, listeningSince }: { readonly now: number; readonly listeningSince: number },
): boolean => last - since >= REGULAR_AFTER_MS && now - Math.max(last, listeningSince) > SILENT_AFTER_MS;
