import type { Event } from '#domain/event/event.ts';
import type { Occurrence } from '#domain/event/incoming.ts';

type Amendment = Partial<Pick<Occurrence, 'title' | 'description' | 'severity' | 'tags'>>;

/** An update that changes some fields of an event, which is no occurrence. */
export const amended = (event: Event, newId: string, change: Amendment): Occurrence => {
  const { source, sourceId, severity, title, timestamp, ci, identity, signature, tags, details, description } = event;
  return {
    source,
    sourceId,
    severity,
    title,
    timestamp,
    ci,
    identity,
    signature,
    tags,
    details,
    ...(description !== undefined && { description }),
    ...change,
    newId,
    conditionId: event.conditions[0]?.id ?? null,
    dedupWindowMs: 0,
    update: true,
    ongoing: true,
  };
};
