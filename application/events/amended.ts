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
    // Not older than what the condition has last said, as of the later one of two servers that report it.
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
