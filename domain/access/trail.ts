import { type Actor, type Event, eventIdOf, parseEventId } from '#domain/event/event.ts';
import type { ByHand, Link, Operated, Trail } from '#domain/event/incoming.ts';
import type { SideRecord } from '#domain/side-record.ts';
import { ACCESS_KINDS, type AuditRecord } from './records.ts';

/*
 * User actions on events, for the audit trail. The owner of events stores the entry with the change, so it is neither
 * lost nor double.
 */

const placeOf = ({ address, department, via }: Trail) => ({ address, department, ...(via && { via }) });

interface Deed {
  readonly event: Event;
  readonly by: Actor;
  readonly trail: Trail;
  /** Time of receipt, ms. */
  readonly at: number;
}

const recordOf = (
  { event, by, trail, at }: Deed,
  entry: Pick<AuditRecord, 'action' | 'before' | 'after'>,
): SideRecord => {
  const { id, expiresAt } = trail;
  const target = { kind: 'event', id: eventIdOf(event.id) };
  const body: AuditRecord = { id, at, actor: by, ...entry, target, ...placeOf(trail) };
  return { tenant: event.tenant, kind: ACCESS_KINDS.audit, id, body, expiresAt };
};

const shown = ({ status, assignedTo, assignedTeam, resolutionCategory }: Event) => ({
  status,
  ...(resolutionCategory && { resolutionCategory }),
  ...(assignedTo && { assignedTo }),
  ...(assignedTeam && { assignedTeam }),
});

/** A user set the status, assigned the event or added a note. */
export const changedByPerson = (deed: Deed, after: Event, notes: string | undefined): SideRecord =>
  recordOf(deed, {
    action: 'event.updated',
    before: shown(deed.event),
    after: { ...shown(after), ...(notes !== undefined && { notes }) },
  });

/** A user joined the event with others. */
export const correlatedByPerson = (deed: Deed, links: readonly Link[], notes: string | undefined): SideRecord => {
  const relatedEventIds = links.map(({ other }) => eventIdOf(other));
  const reason = links[0]?.reasons[0]?.reason;
  const after = { relatedEventIds, reason, ...(notes !== undefined && { notes }) };
  return recordOf(deed, { action: 'event.correlated', before: null, after });
};

interface SplitOff {
  readonly from: string;
  readonly left: readonly string[];
  /** The group that they founded. */
  readonly into: string | null;
  readonly reason: string;
}

/** A user removed events from a group. */
export const splitByPerson = (
  tenant: string,
  { by, at, trail }: ByHand,
  { from, left, into, reason }: SplitOff,
): SideRecord => {
  const { id, expiresAt } = trail;
  const after = { eventIds: left.map(eventIdOf), correlationId: into, reason };
  const said = { action: 'group.split', target: { kind: 'group', id: from }, before: null, after };
  const body: AuditRecord = { id, at, actor: by, ...said, ...placeOf(trail) };
  return { tenant, kind: ACCESS_KINDS.audit, id, body, expiresAt };
};

/** A user did the same to several groups, or to events in none. */
export const operatedByPerson = (
  tenant: string,
  { operation, by, trail, action, subjects }: Pick<Operated, 'operation' | 'by' | 'trail' | 'action' | 'subjects'>,
  at: number,
  more: object,
): SideRecord => {
  const { id, expiresAt } = trail;
  const first = subjects[0] ?? operation;
  const target = { kind: parseEventId(first) === null ? 'group' : 'event', id: first };
  const after = { operationId: operation, ids: subjects, ...more };
  const body: AuditRecord = { id, at, actor: by, action, target, before: null, after, ...placeOf(trail) };
  return { tenant, kind: ACCESS_KINDS.audit, id, body, expiresAt };
};
