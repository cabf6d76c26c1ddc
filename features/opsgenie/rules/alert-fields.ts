import type { Event } from '#domain/event/event.ts';
import { uuidOf } from '#domain/texts/ulid-uuid.ts';

const PRIORITY_OF = { critical: 'P1', major: 'P2', minor: 'P3', warning: 'P4', info: 'P5' } as const;
export const SEVERITY_OF = { P1: 'critical', P2: 'major', P3: 'minor', P4: 'warning', P5: 'info' } as const;

/** Alerts that a page can reach, as at Opsgenie, and that one request looks at. */
export const MAX_REACHED = 20_000;

/** An event as Opsgenie shows and searches it; times in ms. */
export const alertFields = (event: Event) => ({
  id: uuidOf(event.id),
  tinyId: event.id.slice(-6),
  alias: event.sourceId,
  message: event.title,
  description: event.description ?? '',
  status: event.status === 'resolved' ? ('closed' as const) : ('open' as const),
  acknowledged: event.status === 'acknowledged',
  isSeen: event.status === 'acknowledged',
  snoozed: event.status === 'suppressed',
  tags: event.tags,
  count: event.count,
  priority: PRIORITY_OF[event.severity],
  entity: event.hostname ?? event.ipAddress ?? '',
  source: typeof event.details.sender === 'string' ? event.details.sender : '',
  owner: event.assignedTo?.name ?? event.acknowledgedBy?.name ?? '',
  createdAt: event.createdAt,
  updatedAt: event.updatedAt,
  lastOccurredAt: event.lastOccurrence,
});
export type AlertFields = ReturnType<typeof alertFields>;
