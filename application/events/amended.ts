import type { Event } from '#domain/event/event.ts';
import type { Occurrence } from '#domain/event/incoming.ts';

type Amendment = Partial<Pick<Occurrence, 'title' | 'description' | 'severity' | 'tags'>>;

/** An update that changes some fields of an event, which is no occurrence. */
export const amended = (event: Event, newId: string, change: Amendment): Occurrence => {
  const { source, sourceId, severity, title, ci, identity, signature, tags, details, description, conditions } = event;
  return {
    source,
    sourceId,
    severity,
    title,
    // An older message of a condition changes nothing, and a second server may have reported it a moment later.
    timestamp: conditions[0]?.last ?? event.timestamp,
    ci,
    identity,
    signature,
    tags,
    details,
    ...(description !== undefined && { description }),
    ...change,
    newId,
    conditionId: conditions[0]?.id ?? null,
    dedupWindowMs: 0,
    update: true,
    ongoing: true,
  };
};
