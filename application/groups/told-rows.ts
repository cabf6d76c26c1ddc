import type { TenantContext } from '#application/access/context.ts';
import { type GroupStatus, isOn, leadingEventOf, type Verdict } from '#domain/correlation/grouping/group-state.ts';
import { type Event, eventIdOf, parseEventId, type Severity } from '#domain/event/event.ts';
import { assigneeName, titledAt } from '#domain/event/event-words.ts';
import { wholeIn, wholesOf } from './cause-wholes.ts';
import { isLone, type ListedRow } from './listing/list-rows.ts';

/** A group, or an event in none, as a text names it. Times in ms. */
export interface ToldRow {
  /** Shown id. */
  readonly id: string;
  readonly kind: 'group' | 'event';
  /** The CI or host is part of it. */
  readonly title: string | null;
  /** The CI of its cause, else the host. */
  readonly place: string | null;
  readonly severity: Severity | null;
  readonly status: GroupStatus;
  readonly from: number;
  readonly last: number;
  /** Null: it has not ended. */
  readonly to: number | null;
  readonly events: number;
  readonly services: readonly string[];
  readonly assignee: string | null;
  readonly verdict: Verdict | null;
  /** 0 to 1; null: no cause, or a user rejected it. */
  readonly confidence: number | null;
  /** The event that it is named by. */
  readonly lead: Event | undefined;
  readonly row: ListedRow;
}

/** A user rejected the cause and named no other. */
const isRejected = (verdict: Verdict | undefined): boolean =>
  verdict?.cause === 'wrong' && verdict.rootEventId === undefined;

const leadOf = (row: ListedRow): string | null => {
  if (isLone(row)) return row.id;
  return isRejected(row.care.verdict) ? row.group.foundedBy : leadingEventOf(row);
};

const toldEvent = (event: Event) => {
  const { id, severity, status, timestamp, lastOccurrence, resolvedAt, service } = event;
  const standing: GroupStatus = status === 'open' ? 'active' : status === 'acknowledged' ? status : 'resolved';
  return {
    id: eventIdOf(id),
    kind: 'event' as const,
    severity,
    status: standing,
    from: timestamp,
    last: lastOccurrence,
    to: isOn(status) ? null : (resolvedAt ?? lastOccurrence),
    events: 1,
    services: service === undefined ? [] : [service],
    assignee: assigneeName(event),
    verdict: null,
    confidence: null,
  };
};

const toldGroup = ({ group, state, care }: Exclude<ListedRow, Event>) => ({
  id: group.id,
  kind: 'group' as const,
  severity: state.severity,
  status: state.status,
  from: group.first,
  last: group.last,
  to: state.status === 'resolved' ? state.lastActivity : null,
  events: group.size,
  services: state.names.service.names,
  assignee: assigneeName(care),
  verdict: care.verdict ?? null,
  confidence: isRejected(care.verdict) ? null : (group.candidate?.confidence ?? null),
});

/** Returns rows with their titles, in the same order. */
export async function toldRows({ ports, tenant }: TenantContext, rows: readonly ListedRow[]): Promise<ToldRow[]> {
  const groups = rows.flatMap((row) => (isLone(row) ? [] : [row.group]));
  const ids = rows.flatMap((row) => (isLone(row) ? [] : (leadOf(row) ?? [])));
  const [events, wholes] = await Promise.all([
    ports.events.getMany(tenant, [...new Set(ids)]),
    wholesOf(ports, tenant, groups),
  ]);
  const byId = new Map(events.map((event) => [event.id, event]));
  return rows.map((row): ToldRow => {
    const lead = isLone(row) ? row : byId.get(leadOf(row) ?? '');
    const isCandidate = !isLone(row) && lead?.id === row.group.candidate?.eventId;
    const whole = isCandidate ? wholes.get(wholeIn(row.group.candidate) ?? '')?.name : undefined;
    const place = whole ?? lead?.ci?.name ?? lead?.hostname ?? null;
    const title = lead === undefined ? null : titledAt(lead.title, place);
    return { ...(isLone(row) ? toldEvent(row) : toldGroup(row)), title, place, lead, row };
  });
}

/** Returns groups and events by the id that an action has named; deleted ones are left out. */
export async function actSubjects(
  context: TenantContext,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ToldRow>> {
  const { ports, tenant } = context;
  const events = await ports.events.getMany(
    tenant,
    ids.flatMap((id) => parseEventId(id) ?? []),
  );
  const groups = ids.filter((id) => parseEventId(id) === null);
  const found = await Promise.all(groups.map((id) => ports.groupRows.get(tenant, id)));
  const named: (readonly [string, ListedRow])[] = [
    ...events.map((event) => [eventIdOf(event.id), event] as const),
    ...groups.flatMap((id, at) => (found[at] == null ? [] : [[id, found[at]] as const])),
  ];
  const told = await toldRows(
    context,
    named.map(([, row]) => row),
  );
  return new Map(named.flatMap(([id], at) => (told[at] === undefined ? [] : [[id, told[at]] as const])));
}
