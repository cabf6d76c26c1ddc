import type { Event } from '#domain/event/event.ts';

/** True if a user has acted on it. */
export const isTouched = (event: Event): boolean =>
  event.acknowledgedAt !== undefined ||
  event.resolvedBy !== undefined ||
  event.assignedTo !== undefined ||
  event.assignedTeam !== undefined ||
  event.history.some(({ by }) => by !== null);
