import type { z } from 'zod';
import { isOn } from '#domain/correlation/grouping/group-state.ts';
import { type Event, eventIdOf } from '#domain/event/event.ts';
import { iso } from '#schemas/http/time.ts';
import { eventView } from './event-view.ts';
import { learningMark } from './group-view.ts';
import { type GroupRowBody, type HitContext, namesOfServices, overSince, personView } from './groups.ts';

const named = (name: string | undefined) =>
  name === undefined ? { names: [], count: 0 } : { names: [name], count: 1 };

const STATUS = { open: 'active', acknowledged: 'acknowledged', resolved: 'resolved', suppressed: 'resolved' } as const;

interface LoneContext {
  /** Services affected by its CI. */
  readonly hit: HitContext;
  /** Event time of the tenant's first new event, ms. */
  readonly first: number | null;
}

/** An event in no group, as a row of a list of groups: a group of one. */
export const loneRowView = (event: Event, { hit, first }: LoneContext): z.output<typeof GroupRowBody> => ({
  kind: 'event',
  correlationId: eventIdOf(event.id),
  eventCount: 1,
  rootCauseCandidate: null,
  timeSpan: { start: iso(event.firstOccurrence), end: iso(event.lastOccurrence) },
  ...learningMark(first, event.createdAt),
  title: event.title,
  causeName: event.ci?.name ?? event.hostname ?? null,
  secondBest: null,
  status: STATUS[event.status],
  growing: false,
  severity: event.severity,
  counts: { open: 0, acknowledged: 0, suppressed: 0, resolved: 0, [event.status]: 1 },
  cis: named(event.ci?.name),
  services: namesOfServices(hit.ever),
  servicesHit: namesOfServices(hit.now),
  sources: named(event.source),
  hosts: named(event.hostname),
  lastActivity: iso(Math.max(event.updatedAt, event.lastOccurrence)),
  assignedTo: event.assignedTo === undefined ? null : personView(event.assignedTo),
  assignedTeam: event.assignedTeam === undefined ? null : { _id: event.assignedTeam.id, name: event.assignedTeam.name },
  acknowledgedBy: event.acknowledgedBy === undefined ? null : personView(event.acknowledgedBy),
  acknowledgedAt: event.acknowledgedAt === undefined ? null : iso(event.acknowledgedAt),
  worseSince: null,
  causeByParts: null,
  causeOverSince: isOn(event.status) ? null : iso(overSince(event)),
  verdict: null,
  spark: null,
});

export const loneView = (event: Event, context: LoneContext) => ({
  ...loneRowView(event, context),
  rootCause: eventView(event, null),
});
