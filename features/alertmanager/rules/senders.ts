import type { Event } from '#domain/event/event.ts';

/* Prometheus sends an end with each alert, and repeats the alert long before. */

const MINUTE = 60_000;
/** Time for a repetition that is late. */
const GRACE_MS = MINUTE / 2;
/** Beats of a sender farther apart are two spells. */
const SPELL_GAP_MS = 5 * MINUTE;
/** Prometheus restores the state of its alerts within ten minutes after its start. */
const RESTORED_MS = 15 * MINUTE;

/** A program that repeats its alerts, by the address in `generatorURL`. */
export interface AlertSender {
  readonly name: string;
  /** Start of the current spell of messages, and the last one; ms. */
  readonly since: number;
  readonly lastSeen: number;
  /** An event reports its silence. */
  readonly missing: boolean;
}

/** Senders of alerts without an address: they do not repeat them. */
const UNNAMED = 'unnamed';

export const senderOf = (generatorUrl: unknown): string =>
  (typeof generatorUrl === 'string' ? /^https?:\/\/[^/?#\s]{1,255}/i.exec(generatorUrl)?.[0].toLowerCase() : null) ??
  UNNAMED;

export const heardFrom = (name: string, before: AlertSender | null, now: number): AlertSender => ({
  name,
  since: before !== null && now - before.lastSeen <= SPELL_GAP_MS ? before.since : now,
  lastSeen: now,
  missing: before?.missing ?? false,
});

type Timed = Pick<Event, 'details' | 'lastOccurrence' | 'updatedAt'>;

/** Time of the last message, ms. */
export const heardAt = ({ lastOccurrence, updatedAt }: Timed): number => Math.max(lastOccurrence, updatedAt);

/** Returns the time at which the event ends without a message, ms; null: it does not. */
export const expiryOf = ({ details: { expiresAt } }: Pick<Event, 'details'>): number | null => {
  const at = typeof expiresAt === 'string' ? Date.parse(expiresAt) : Number.NaN;
  return Number.isNaN(at) ? null : at;
};

/**
 * `over`: its sender sends others, but not this one any more. `unknown`: its sender is silent, too, so that it may still
 * fire.
 */
export type Expiry = 'fires' | 'over' | 'unknown';

export const expiryState = (event: Timed, sender: AlertSender | undefined, now: number): Expiry => {
  const expiresAt = expiryOf(event);
  if (expiresAt === null || now < expiresAt) return 'fires';
  const name = senderOf(event.details.generatorURL);
  if (name === UNNAMED) return heardAt(event) < expiresAt ? 'over' : 'fires';
  if (now < expiresAt + GRACE_MS) return 'fires';
  if (sender === undefined || sender.lastSeen <= expiresAt) return 'unknown';
  return sender.since < expiresAt || sender.lastSeen - sender.since > RESTORED_MS ? 'over' : 'unknown';
};
