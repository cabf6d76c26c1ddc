import { everyService, findService } from '#application/services/service-store.ts';
import { SEVERITIES } from '#domain/event/event.ts';
import { entryOf, known } from '#domain/known.ts';
import type { OpenCounts } from '#domain/services/health.ts';
import { slices } from '#domain/slices.ts';
import { unitFor } from '#features/reports/rules/templates/said.ts';
import type { AilingPart, ServiceHealthRead, ServiceRow } from '#features/reports/rules/templates/service-health.ts';
import type { Assessed } from '#features/services/schemas/services.ts';
import { assess } from '#features/services/use-cases/assess.ts';
import { ask, goOn, msOf, type ReportReading, resolvedFilter } from './reading.ts';

/** Services whose health is worked out at a time. */
const AT_A_TIME = 25;
const CIS_PER_CALL = 1_000;

type Open = ReadonlyMap<string, OpenCounts>;

const openCount = (counts: OpenCounts | undefined): number =>
  SEVERITIES.reduce((sum, severity) => sum + (counts?.[severity] ?? 0), 0);

/** The services that were asked for, with their health now. */
async function assessed(reading: ReportReading, ids: readonly string[]): Promise<Assessed[]> {
  const { tenant, ports } = reading.asking;
  const all: Assessed[] = [];
  for (const some of slices(ids, AT_A_TIME)) {
    goOn(reading);
    const stored = await Promise.all(some.map((id) => findService(ports.records, tenant, id)));
    all.push(...(await assess(ports, tenant, stored)));
  }
  return all;
}

async function openOn(reading: ReportReading, ids: readonly string[]): Promise<Open> {
  const { tenant, ports } = reading.asking;
  const open = new Map<string, OpenCounts>();
  for (const some of slices(ids, CIS_PER_CALL)) {
    goOn(reading);
    for (const [ci, counts] of await ports.eventCounts.openOn(tenant, some)) open.set(ci, counts);
  }
  return open;
}

async function ailingParts(reading: ReportReading, services: readonly Assessed[], open: Open): Promise<AilingPart[]> {
  const parts = services.flatMap(({ service }) =>
    service.components.filter(({ ciId }) => openCount(open.get(ciId)) > 0).map((part) => ({ service, part })),
  );
  const ids = [...new Set(parts.map(({ part }) => part.ciId))].slice(0, CIS_PER_CALL);
  const cis = await reading.asking.ports.topology.getCis(reading.asking.tenant, ids);
  const names = new Map(cis.map(({ id, name }) => [id, name]));
  const rank = ({ severity }: AilingPart): number => (SEVERITIES as readonly string[]).indexOf(severity);
  return parts
    .map(({ service, part }): AilingPart => {
      const counts = entryOf(open, part.ciId);
      const severity = known(
        SEVERITIES.find((one) => (counts[one] ?? 0) > 0),
        'open event',
      );
      const ci = names.get(part.ciId) ?? part.ciId;
      return { service: service.name, ci, role: part.role, severity, openEvents: openCount(counts) };
    })
    .sort((a, b) => rank(a) - rank(b) || b.openEvents - a.openEvents);
}

/** The worst first; those of which nothing is known last. */
const byScore = (a: ServiceRow, b: ServiceRow): number =>
  (a.score ?? Infinity) - (b.score ?? Infinity) || b.events - a.events || (a.name < b.name ? -1 : 1);

const NOTHING: Omit<ServiceHealthRead, 'unit'> = {
  rows: [],
  total: 0,
  meanScore: null,
  events: 0,
  before: null,
  resolveMs: null,
  overTime: [],
  ailing: [],
};

export async function readServiceHealth(reading: ReportReading): Promise<ServiceHealthRead> {
  const { asking, chosen } = reading;
  const { services: wanted } = await resolvedFilter(reading);
  const every = await everyService(asking.ports.records, asking.tenant);
  const known = every.filter(({ id }) => wanted?.includes(id) ?? true);
  const unit = unitFor(chosen.range);
  if (known.length === 0) return { ...NOTHING, unit };
  const services = await assessed(
    reading,
    known.map(({ id }) => id),
  );
  const open = await openOn(reading, [
    ...new Set(known.flatMap(({ components }) => components.map(({ ciId }) => ciId))),
  ]);
  const filters = { service: known.map(({ name }) => name) };
  const events = await ask(reading, { metric: 'events', groupBy: 'service', filters, isCompared: true });
  const incidents = await ask(reading, { metric: 'incidents', groupBy: 'service', filters });
  const resolved = await ask(reading, { metric: 'mttr', groupBy: 'service', filters });
  const overTime = await ask(reading, { metric: 'events', groupBy: unit, filters });
  const [eventsOf, incidentsOf, resolvedOf] = [events, incidents, resolved].map(
    ({ rows }) => new Map(rows.map(({ key, value }) => [key, value])),
  ) as [Map<string, number | null>, Map<string, number | null>, Map<string, number | null>];
  const rows = services.map(({ service, health }): ServiceRow => {
    const openEvents = [...new Set(service.components.map(({ ciId }) => ciId))].reduce(
      (sum, ci) => sum + openCount(open.get(ci)),
      0,
    );
    return {
      id: service.id,
      name: service.name,
      criticality: service.criticality,
      status: health.status,
      score: health.status === 'unknown' ? null : health.score,
      components: service.components.length,
      openEvents,
      events: eventsOf.get(service.id) ?? 0,
      incidents: incidentsOf.get(service.id) ?? 0,
      resolveMs: msOf(resolvedOf.get(service.id)),
      availability: service.sla.availability,
    };
  });
  const scores = rows.flatMap(({ score }) => score ?? []);
  return {
    rows: rows.sort(byScore),
    total: rows.length,
    unit,
    ailing: await ailingParts(reading, services, open),
    meanScore: scores.length === 0 ? null : scores.reduce((sum, score) => sum + score, 0) / scores.length,
    events: events.count,
    before: events.previous?.count ?? null,
    resolveMs: msOf(resolved.total),
    overTime: overTime.rows.map(({ key, value }) => ({ at: Date.parse(key), values: [value ?? 0] })),
  };
}
