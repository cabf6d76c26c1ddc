import type { InboxRules } from './inbox.ts';

/** True within the hours; an end before the beginning is on the next day. `now`: `HH:MM`. */
export const isWithin = (hours: InboxRules['hours'], now: string): boolean => {
  if (hours === null || hours.from === hours.to) return true;
  const { from, to } = hours;
  return from < to ? now >= from && now < to : now >= from || now < to;
};
