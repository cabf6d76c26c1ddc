import type { Event } from '#domain/event/event.ts';
import { OPTIONALLY_SAID } from '#domain/event/fields.ts';
import type { Occurrence } from '#domain/event/incoming.ts';
import { bind, type Stamp } from '#domain/event/lifecycle/change.ts';

const lacks = (event: Event, occurrence: Occurrence): boolean => {
  for (const name of OPTIONALLY_SAID) if (event[name] === undefined && occurrence[name] !== undefined) return true;
  return false;
};

/** Adds to the event the fields, CI included, that only a further message about its condition has. The same event when there are none. */
export const filled = (event: Event, occurrence: Occurrence, stamp: Stamp): Event => {
  let said = event;
  if (lacks(event, occurrence)) {
    const missing = OPTIONALLY_SAID.filter((name) => event[name] === undefined && occurrence[name] !== undefined);
    said = { ...event, ...Object.fromEntries(missing.map((name) => [name, occurrence[name]])) };
  }
  if (said.ci !== null || occurrence.ci === null) return said;
  return bind(said, occurrence.ci, stamp, occurrence.businessImpact).event;
};
