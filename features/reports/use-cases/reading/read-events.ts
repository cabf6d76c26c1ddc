import { type Event, eventIdOf, SEVERITIES } from '#domain/event/event.ts';
import { bucketEdges } from '#features/questions/rules/edges.ts';
import type { Grouping } from '#features/questions/rules/query.ts';
import type { EventSummaryRead, EventSummaryRow } from '#features/reports/rules/templates/event-summary.ts';
import { unitFor } from '#features/reports/rules/templates/said.ts';
import { type CountedGroup, MAX_DETAILS, type TimePoint } from '#features/reports/rules/templates/template.ts';
import { ask, largest, msOf, type ReportReading, resolvedFilter, walk } from './reading.ts';

const MAX_LISTED = 12;
/** Hours, days or weeks times severities. */
const MAX_BUCKETS = 10_000;

/** Events that began in each part of the range, by severity. */
async function overTime(reading: ReportReading): Promise<TimePoint[]> {
  const { asking, chosen } = reading;
  const edges = bucketEdges(chosen.range, unitFor(chosen.range), chosen.zone);
  const { filter } = await resolvedFilter(reading);
  const request = { measure: 'events', by: ['time', 'severity'], edges, limit: MAX_BUCKETS } as const;
  const asked = { ...filter, ...chosen.range };
  const { buckets } = await asking.ports.eventAggregates.aggregate(asking.tenant, asked, request);
  const counts = new Map(buckets.map(({ keys, count }) => [keys.join(' '), count]));
  return edges
    .slice(0, -1)
    .map((at) => ({ at, values: SEVERITIES.map((severity) => counts.get(`${at} ${severity}`) ?? 0) }));
}

const rowOf = (event: Event): EventSummaryRow => ({
  eventId: eventIdOf(event.id),
  severity: event.severity,
  status: event.status,
  title: event.title,
  source: event.source,
  ci: event.ci?.name ?? event.hostname ?? null,
  ciId: event.ci?.id ?? null,
  groupId: event.correlationId,
  began: event.firstOccurrence,
  last: event.lastOccurrence,
  occurrences: event.count,
  resolvedAfterMs: event.resolvedAt === undefined ? null : Math.max(0, event.resolvedAt - event.firstOccurrence),
});

/** Events that began in the range, most severe first, then newest. */
async function readRows(reading: ReportReading): Promise<EventSummaryRow[]> {
  const { asking, chosen } = reading;
  const { severities, sources, ciIds, ofService } = (await resolvedFilter(reading)).filter;
  const { from, to } = chosen.range;
  const wanted = { from, to, ...(sources && { sources }), ...(ciIds && { ciId: ciIds }) };
  const names = ofService && new Set(ofService.names);
  const parts = new Set(ofService?.ciIds);
  const isOf = ({ service, application, ci }: Event): boolean =>
    names === undefined || names.has(service ?? application ?? '') || parts.has(ci?.id ?? '');
  const began = (event: Event): boolean => event.timestamp >= from && event.timestamp < to;
  const rows: EventSummaryRow[] = [];
  for (const severity of SEVERITIES) {
    if (severities?.includes(severity) === false || rows.length === MAX_DETAILS) continue;
    const filter = { ...wanted, severities: [severity] };
    const found = await walk(reading, {
      find: (page) => asking.ports.events.find(asking.tenant, filter, { sort: 'timestamp', order: 'desc', ...page }),
      rows: (events) => events.filter((event) => began(event) && isOf(event)).map(rowOf),
      most: MAX_DETAILS - rows.length,
      // Pages are newest first, so no page after the start of the range matters.
      isPast: (events) => (events.at(-1)?.timestamp ?? 0) < from,
    });
    for (const row of found) rows.push(row);
  }
  return rows;
}

async function readGroups(
  reading: ReportReading,
  groupBy: Grouping,
): Promise<Pick<EventSummaryRead, 'groups' | 'groupsTotal'>> {
  const events = await ask(reading, { metric: 'events', groupBy, isCompared: true });
  const told = await ask(reading, { metric: 'occurrences', groupBy });
  const resolved = await ask(reading, { metric: 'mttr', groupBy });
  const toldBy = new Map(told.rows.map((row) => [row.key, row.value]));
  const resolvedBy = new Map(resolved.rows.map((row) => [row.key, row]));
  const rows = events.rows.filter(({ count }) => count > 0);
  return {
    groupsTotal: rows.length,
    groups: rows.map(({ key, label, count, previous }) => ({
      label,
      events: count,
      before: previous ?? null,
      occurrences: toldBy.get(key) ?? 0,
      resolved: resolvedBy.get(key)?.count ?? 0,
      resolveMs: msOf(resolvedBy.get(key)?.value),
    })),
  };
}

/** Merges problems of the same name, which sources or CI types report separately. */
const byLabel = (all: readonly CountedGroup[]): CountedGroup[] => {
  const sums = new Map<string, number>();
  for (const { label, value } of all) sums.set(label, (sums.get(label) ?? 0) + value);
  return [...sums].map(([label, value]) => ({ label, value })).sort((a, b) => b.value - a.value);
};

export async function readEventSummary(reading: ReportReading): Promise<EventSummaryRead> {
  const { chosen } = reading;
  const grouping = (chosen.grouping ?? 'source') as Grouping;
  const events = await ask(reading, { metric: 'events', isCompared: true });
  const occurrences = await ask(reading, { metric: 'occurrences' });
  const correlated = await ask(reading, { metric: 'correlated_share' });
  const open = await ask(reading, { metric: 'open_events' });
  const resolved = await ask(reading, { metric: 'mttr', isCompared: true });
  const acknowledged = await ask(reading, { metric: 'mtta' });
  const [bySeverity, cis, complaints] = [
    await ask(reading, { metric: 'events', groupBy: 'severity' }),
    await ask(reading, { metric: 'events', groupBy: 'ci' }),
    await ask(reading, { metric: 'events', groupBy: 'signature' }),
  ];
  return {
    events: events.count,
    before: events.previous?.count ?? null,
    occurrences: occurrences.total ?? 0,
    correlated: Math.round((correlated.total ?? 0) * correlated.count),
    open: open.total ?? 0,
    resolved: resolved.count,
    resolveMs: msOf(resolved.total),
    resolveMsBefore: msOf(resolved.previous?.total),
    acknowledgeMs: msOf(acknowledged.total),
    unit: unitFor(chosen.range),
    overTime: await overTime(reading),
    bySeverity: largest(bySeverity.rows),
    ...(await readGroups(reading, grouping)),
    cis: largest(cis.rows)
      .filter(({ label }) => label !== 'none')
      .slice(0, MAX_LISTED),
    complaints: byLabel(largest(complaints.rows))
      .filter(({ label }) => label !== 'none')
      .slice(0, MAX_LISTED),
    rows: await readRows(reading),
  };
}
