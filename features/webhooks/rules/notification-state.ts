import type { Event, Status } from '#domain/event/event.ts';

/** Happenings for receivers outside. */
export const isUnresolved = (status: Status): boolean => status === 'open' || status === 'acknowledged';

/** True if it arrived suppressed and was no problem until its last change: webhooks have not sent it. */
export const isNotNotified = ({ history, position }: Pick<Event, 'history' | 'position'>): boolean =>
  history[0]?.to === 'suppressed' && !history.some((entry) => entry.position < position && isUnresolved(entry.to));
