import { wholeIn, wholesOf } from '#application/groups/cause-wholes.ts';
import { aiSettings } from '#application/records/tenant-settings.ts';
import type { Group } from '#domain/correlation/records.ts';
import { type Event, eventIdOf, SEVERITIES } from '#domain/event/event.ts';
import type { AggregateFilter, AggregateKey } from '#domain/ports/events/event-aggregates.ts';
import { bucketEdges } from '#features/questions/rules/edges.ts';
import type { Grouping } from '#features/questions/rules/query.ts';
import type { IncidentReviewRead, IncidentRow } from '#features/reports/rules/templates/incident-review.ts';
import { unitFor } from '#features/reports/rules/templates/said.ts';
import { MAX_DETAILS } from '#features/reports/rules/templates/template.ts';
import { ask, largest, msOf, type ReportReading, resolvedFilter, walk } from './reading.ts';

/** Maximum number of groups per page, multiplied by the values that one may have. */
const MAX_BUCKETS = 10_000;

/** Returns member data by group. */
async function membersOf(
  { asking }: ReportReading,
  groups: readonly Group[],
  filter: AggregateFilter,
  key: AggregateKey,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const standing = new Map(groups.flatMap(({ id, aliases }) => [id, ...aliases].map((one) => [one, id] as const)));
  const found = new Map<string, string[]>();
  if (standing.size === 0) return found;
  const asked = { ...filter, correlationIds: [...standing.keys()] };
  const request = { measure: 'events', by: ['group', key], limit: MAX_BUCKETS } as const;
  const { buckets } = await asking.ports.eventAggregates.aggregate(asking.tenant, asked, request);
  for (const { keys } of buckets) {
    const group = standing.get(keys[0] ?? '');
    if (group !== undefined) found.set(group, [...(found.get(group) ?? []), keys[1] ?? '']);
  }
  return found;
}

/** Returns the end of the last member of each group. */
const endsOf = async ({ asking }: ReportReading, groups: readonly Group[]): Promise<ReadonlyMap<string, number>> => {
  if (groups.length === 0) return new Map();
  const page = { sort: 'first', order: 'desc', limit: groups.length } as const;
  const { items } = await asking.ports.groupRows.find(asking.tenant, { ids: groups.map(({ id }) => id) }, page);
  return new Map(
    items.flatMap(({ group, state }) => (state.status === 'resolved' ? [[group.id, state.lastActivity] as const] : [])),
  );
};

const stateOf = (statuses: readonly string[]): IncidentRow['state'] => {
  if (statuses.includes('open')) return 'open';
  return statuses.includes('acknowledged') ? 'acknowledged' : 'resolved';
};

/** Returns the title of the root-cause candidate, even with low confidence, or of the first event. */
const titleIn = ({ id, candidate, foundedBy }: Group, events: ReadonlyMap<string, Event>): string =>
  events.get(candidate?.eventId ?? '')?.title ?? events.get(foundedBy)?.title ?? `Group ${id}`;

async function rowsOf(reading: ReportReading, groups: readonly Group[]): Promise<IncidentRow[]> {
  const { tenant, ports, receivedAt } = reading.asking;
  const { filter } = await resolvedFilter(reading);
  const { severities, ...ofMembers } = filter;
  const [ends, worst, statuses, cis, meeting, causes, wholes, services, { abstainBelow }] = await Promise.all([
    endsOf(reading, groups),
    membersOf(reading, groups, {}, 'severity'),
    membersOf(reading, groups, {}, 'status'),
    membersOf(reading, groups, {}, 'ci'),
    Object.keys(ofMembers).length === 0 ? null : membersOf(reading, groups, ofMembers, 'severity'),
    ports.events.getMany(tenant, [
      ...new Set(
        groups.flatMap(({ candidate, foundedBy }) => [...(candidate === null ? [] : [candidate.eventId]), foundedBy]),
      ),
    ]),
    wholesOf(ports, tenant, groups),
    ports.memory.services.of(tenant, receivedAt),
    aiSettings(ports.records, tenant),
  ]);
  const byId = new Map(causes.map((event) => [event.id, event]));
  return groups.flatMap((group): IncidentRow[] => {
    const severity = SEVERITIES.find((one) => worst.get(group.id)?.includes(one)) ?? 'info';
    const isWanted = (severities?.includes(severity) ?? true) && (meeting?.has(group.id) ?? true);
    if (!isWanted) return [];
    // Below the threshold, the candidate is not a root cause (docs/ai.md).
    const { candidate } = group;
    const cause = candidate && candidate.confidence >= abstainBelow ? byId.get(candidate.eventId) : undefined;
    const on = (cis.get(group.id) ?? []).flatMap((id) => services.get(id) ?? []).map(({ name }) => name);
    return [
      {
        id: group.id,
        began: group.first,
        last: group.last,
        events: group.size,
        severity,
        ended: ends.get(group.id) ?? null,
        state: stateOf(statuses.get(group.id) ?? []),
        title: titleIn(group, byId),
        cause: cause?.title ?? null,
        causeEvent: cause === undefined ? null : eventIdOf(cause.id),
        ci:
          cause === undefined
            ? null
            : (wholes.get(wholeIn(candidate) ?? '')?.name ?? cause.ci?.name ?? cause.hostname ?? null),
        confidence: cause === undefined ? null : (candidate?.confidence ?? null),
        services: [...new Set(on)].sort(),
      },
    ];
  });
}

/** Reads groups that began in the range, newest first. */
export const readIncidentRows = (reading: ReportReading): Promise<IncidentRow[]> => {
  const { asking, chosen } = reading;
  const { from, to } = chosen.range;
  return walk(reading, {
    find: (page) =>
      asking.ports.correlation.groups(asking.tenant, { to: to - 1 }, { sort: 'first', order: 'desc', ...page }),
    rows: (groups) =>
      rowsOf(
        reading,
        groups.filter(({ first, status }) => first >= from && first < to && status !== 'merged'),
      ),
    most: MAX_DETAILS,
    isPast: (groups) => (groups.at(-1)?.first ?? 0) < from,
  });
};

export async function readIncidentReview(reading: ReportReading): Promise<IncidentReviewRead> {
  const { chosen } = reading;
  const unit = unitFor(chosen.range);
  const incidents = await ask(reading, { metric: 'incidents', isCompared: true });
  const groups = await ask(reading, { metric: 'incidents', groupBy: (chosen.grouping ?? 'service') as Grouping });
  const resolved = await ask(reading, { metric: 'mttr' });
  const rows = await readIncidentRows(reading);
  return {
    incidents: incidents.count,
    before: incidents.previous?.count ?? null,
    unit,
    rows,
    events: rows.reduce((sum, row) => sum + row.events, 0),
    groups: largest(groups.rows),
    resolveMs: msOf(resolved.total),
    edges: bucketEdges(chosen.range, unit, chosen.zone),
  };
}
