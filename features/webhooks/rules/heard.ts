import type { Event, Status } from '#domain/event/event.ts';

/** Happenings for receivers outside. */
export const isTrouble = (status: Status): boolean => status === 'open' || status === 'acknowledged';

/** It came while it was suppressed and was no trouble until its last change: webhooks have not been told of it. */
export const isUnheardOf = ({ history, position }: Pick<Event, 'history' | 'position'>): boolean =>
  history[0]?.to === 'suppressed' && !history.some((entry) => entry.position < position && isTrouble(entry.to));
