import { z } from 'zod';
import { type Event, eventIdOf, type Severity, type Status } from '#domain/event/event.ts';
import { IsoTime, iso } from '#schemas/http/time.ts';
import type { GroupMembership } from './event-view.ts';

/** Events in the words of the general reference (docs/specification.md §9). */

export const V1_SEVERITIES = ['critical', 'high', 'medium', 'low'] as const;
export const V1_STATUSES = ['open', 'acknowledged', 'resolved'] as const;
type V1Severity = (typeof V1_SEVERITIES)[number];

const OUT: Record<Severity, V1Severity> = {
  critical: 'critical',
  major: 'high',
  minor: 'medium',
  warning: 'medium',
  info: 'low',
};
const IN: Record<V1Severity, Severity> = { critical: 'critical', high: 'major', medium: 'minor', low: 'info' };

/** The severity with which an event is created. */
export const severityOfV1 = (severity: V1Severity): Severity => IN[severity];
/** Every severity that is shown under one of these words. */
export const severitiesOfV1 = (words: readonly string[]): Severity[] =>
  (Object.keys(OUT) as Severity[]).filter((severity) => words.includes(OUT[severity]));
/** Suppressed events are shown as resolved. */
export const statusesOfV1 = (words: readonly string[]): Status[] =>
  words.flatMap((word): Status[] => (word === 'resolved' ? ['resolved', 'suppressed'] : [word as Status]));

export const V1Event = z
  .object({
    id: z.string(),
    title: z.string(),
    description: z.string(),
    severity: z.enum(V1_SEVERITIES),
    status: z.enum(V1_STATUSES),
    source: z.string(),
    source_id: z.string(),
    affected_cis: z.array(z.string()),
    metrics: z.record(z.string(), z.number()),
    correlation_id: z.string().nullable(),
    assigned_to: z.object({ id: z.string(), username: z.string(), name: z.string() }).optional(),
    assigned_team: z.object({ id: z.string(), name: z.string() }).optional(),
    occurrence_count: z.number().int(),
    timestamp: IsoTime,
    created_at: IsoTime,
    updated_at: IsoTime,
  })
  .meta({ id: 'V1Event' });

const numbersIn = (value: unknown): Record<string, number> =>
  typeof value === 'object' && value !== null
    ? Object.fromEntries(
        Object.entries(value).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
      )
    : {};

const stringsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];

export const v1Event = (
  event: Event,
  place: Pick<GroupMembership, 'correlationId'> | null,
): z.output<typeof V1Event> => {
  const named = stringsIn(event.details.affectedCis);
  return {
    id: eventIdOf(event.id),
    title: event.title,
    description: event.description ?? '',
    severity: OUT[event.severity],
    status: event.status === 'suppressed' ? 'resolved' : event.status,
    source: event.source,
    source_id: event.sourceId,
    affected_cis: event.ci && !named.includes(event.ci.id) ? [event.ci.id, ...named] : named,
    metrics: numbersIn(event.details.metrics),
    correlation_id: place?.correlationId ?? event.correlationId,
    ...(event.assignedTo && { assigned_to: event.assignedTo }),
    ...(event.assignedTeam && { assigned_team: event.assignedTeam }),
    occurrence_count: event.count,
    timestamp: iso(event.reportedTimestamp ?? event.timestamp),
    created_at: iso(event.createdAt),
    updated_at: iso(event.updatedAt),
  };
};
