import { everyService, findService } from '#application/services/service-store.ts';
import { assertDefined, entryOf } from '#domain/assert.ts';
import { SEVERITIES } from '#domain/event/event.ts';
import type { CiFilter } from '#domain/ports/topology/topology-queries.ts';
import type { OpenCounts } from '#domain/services/health.ts';
import { slices } from '#domain/slices.ts';
import type { Ci } from '#domain/topology/topology.ts';
import { DAY_MS, dayOf, startOfDay, totalOf, type UsageGroupBy, type UsageRow } from '#features/ai/rules/usage.ts';
import { monitorUsage } from '#features/ai/use-cases/monitor-usage.ts';
import { usageDays } from '#features/ai/use-cases/usage/read-usage.ts';
import type { Grouping } from '#features/questions/rules/query.ts';
import { type AiUsageRead, aiUsage, type UsageSum } from '#features/reports/rules/templates/ai-usage.ts';
import type { TemplateId } from '#features/reports/rules/templates/catalogue.ts';
import { type ChangeRiskRead, type ChangeRow, changeRisk } from '#features/reports/rules/templates/change-risk.ts';
import {
  type CiInventoryRead,
  type CiInventoryRow,
  ciInventory,
} from '#features/reports/rules/templates/ci-inventory.ts';
import {
  type CorrelationQualityRead,
  correlationQuality,
  type JudgedAgent,
} from '#features/reports/rules/templates/correlation-quality.ts';
import { eventSummary } from '#features/reports/rules/templates/event-summary.ts';
import { handover } from '#features/reports/rules/templates/handover.ts';
import { incidentReview } from '#features/reports/rules/templates/incident-review.ts';
import { postIncident } from '#features/reports/rules/templates/post-incident.ts';
import { rowName, unitFor } from '#features/reports/rules/templates/said.ts';
import {
  type ServiceHealthRead,
  type ServiceRow,
  serviceHealth,
  type UnhealthyComponent,
} from '#features/reports/rules/templates/service-health.ts';
import { statusUpdate } from '#features/reports/rules/templates/status-update.ts';
import { MAX_DETAILS, type ReportBody, type Template } from '#features/reports/rules/templates/template.ts';
import type { HealthyService } from '#features/services/schemas/services.ts';
import { assess } from '#features/services/use-cases/assess.ts';
import { readEventSummary } from './read-events.ts';
import { readGroup } from './read-group.ts';
import { readHandover } from './read-handover.ts';
import { readIncidentReview, readIncidentRows } from './read-incidents.ts';
import { ask, counted, goOn, largest, msOf, type ReportReading, resolvedFilter, walk } from './reading.ts';

/** Number of services to assess concurrently. */
const AT_A_TIME = 25;
const CIS_PER_CALL = 1_000;

type Open = ReadonlyMap<string, OpenCounts>;

const openCount = (counts: OpenCounts | undefined): number =>
  SEVERITIES.reduce((sum, severity) => sum + (counts?.[severity] ?? 0), 0);

/** Assesses the current health of the requested services. */
async function assessed(reading: ReportReading, ids: readonly string[]): Promise<HealthyService[]> {
  const { tenant, ports } = reading.asking;
  const all: HealthyService[] = [];
  for (const some of slices(ids, AT_A_TIME)) {
    goOn(reading);
    const stored = await Promise.all(some.map((id) => findService(ports.records, tenant, id)));
    const bodies = stored.map(({ body }) => body);
    all.push(...(await assess(ports, tenant, bodies)));
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

async function unhealthyComponents(
  reading: ReportReading,
  services: readonly HealthyService[],
  open: Open,
): Promise<UnhealthyComponent[]> {
  const parts = services.flatMap(({ service }) =>
    service.components.filter(({ ciId }) => openCount(open.get(ciId)) > 0).map((part) => ({ service, part })),
  );
  const ids = [...new Set(parts.map(({ part }) => part.ciId))].slice(0, CIS_PER_CALL);
  const cis = await reading.asking.ports.topology.getCis(reading.asking.tenant, ids);
  const names = new Map(cis.map(({ id, name }) => [id, name]));
  const rank = ({ severity }: UnhealthyComponent): number => (SEVERITIES as readonly string[]).indexOf(severity);
  return parts
    .map(({ service, part }): UnhealthyComponent => {
      const counts = entryOf(open, part.ciId);
      const severity = assertDefined(
        SEVERITIES.find((one) => (counts[one] ?? 0) > 0),
        'open event',
      );
      const ci = names.get(part.ciId) ?? part.ciId;
      return { service: service.name, ci, role: part.role, severity, openEvents: openCount(counts) };
    })
    .sort((a, b) => rank(a) - rank(b) || b.openEvents - a.openEvents);
}

/** Worst first; services with unknown health are last. */
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

async function readServiceHealth(reading: ReportReading): Promise<ServiceHealthRead> {
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
    ailing: await unhealthyComponents(reading, services, open),
    meanScore: scores.length === 0 ? null : scores.reduce((sum, score) => sum + score, 0) / scores.length,
    events: events.count,
    before: events.previous?.count ?? null,
    resolveMs: msOf(resolved.total),
    overTime: overTime.rows.map(({ key, value }) => ({ at: Date.parse(key), values: [value ?? 0] })),
  };
}

const STALE_MS = 30 * 86_400_000;

const environmentOf = ({ customFields, attributes }: Ci): string | null => {
  const said = customFields.environment ?? attributes.environment;
  return typeof said === 'string' && said !== '' ? said : null;
};

/** Reads CIs by name, with their services, relationships and last scan. */
async function readRows(reading: ReportReading): Promise<CiInventoryRow[]> {
  const { tenant, ports, receivedAt } = reading.asking;
  const { ciTypes } = await resolvedFilter(reading);
  const filter: CiFilter = ciTypes === null ? {} : { types: ciTypes };
  const services = await ports.memory.services.of(tenant, receivedAt);
  const rowsOf = async (cis: readonly Ci[]): Promise<CiInventoryRow[]> => {
    const ids = cis.map(({ id }) => id);
    const [seen, relationships] = await Promise.all([
      ports.topology.lastSeen(tenant, ids),
      ports.counts.relationships(tenant, ids),
    ]);
    return cis.map((ci) => ({
      id: ci.id,
      externalKey: ci.externalKey ?? null,
      name: ci.name,
      type: ci.type,
      status: ci.status,
      environment: environmentOf(ci),
      services: (services.get(ci.id) ?? []).map(({ name }) => name),
      relationships: relationships.get(ci.id) ?? 0,
      lastSeen: seen.get(ci.id) ?? null,
      createdAt: ci.createdAt,
      updatedAt: ci.updatedAt,
    }));
  };
  return walk(reading, {
    find: (page) => ports.topology.findCis(tenant, filter, { sort: 'name', order: 'asc', ...page }),
    rows: rowsOf,
    most: MAX_DETAILS,
  });
}

async function readCiInventory(reading: ReportReading): Promise<CiInventoryRead> {
  const { chosen, asking } = reading;
  const unit = unitFor(chosen.range);
  const now = { metric: 'cis', range: null } as const;
  const all = await ask(reading, now);
  const groups = await ask(reading, { ...now, groupBy: (chosen.grouping ?? 'ci_type') as Grouping });
  const statuses = await ask(reading, { ...now, groupBy: 'status' });
  const added = await ask(reading, { metric: 'cis', groupBy: unit === 'hour' ? 'day' : unit });
  return {
    cis: all.total ?? 0,
    groups: largest(groups.rows),
    statuses: counted(statuses.rows),
    added: added.count,
    unit: unit === 'hour' ? 'day' : unit,
    addedOverTime: added.rows.map(({ key, value }) => ({ at: Date.parse(key), values: [value ?? 0] })),
    rows: await readRows(reading),
    staleBefore: asking.receivedAt - STALE_MS,
    at: asking.receivedAt,
  };
}

/** Maximum number of days that `monitorUsage` accepts per request. */
const MAX_DAYS = 399;

const sumOf = (label: string, { calls, failed, input, output, cost, priced, latencyMs }: UsageRow): UsageSum => ({
  label,
  calls,
  failed,
  input,
  output,
  cost,
  priced,
  latencyMs,
});

async function readAiUsage(reading: ReportReading): Promise<AiUsageRead> {
  const { asking, chosen } = reading;
  const { ports, tenant } = asking;
  const last = dayOf(chosen.range.to - 1);
  const first = Math.max(startOfDay(dayOf(chosen.range.from)), startOfDay(last) - MAX_DAYS * DAY_MS);
  const groupBy = (chosen.grouping ?? 'service') as UsageGroupBy;
  const usage = await monitorUsage(ports, tenant, { startDate: dayOf(first), endDate: last, groupBy });
  goOn(reading);
  const stored = await usageDays(ports, tenant, { from: dayOf(first), to: last });
  const byDay = new Map(stored.map((day) => [day.day, totalOf([day])]));
  const days: AiUsageRead['days'][number][] = [];
  for (let at = first; at <= startOfDay(last); at += DAY_MS) {
    const sum = byDay.get(dayOf(at));
    days.push({ at, calls: sum?.calls ?? 0, failed: sum?.failed ?? 0, cost: sum?.cost ?? 0 });
  }
  const groups = usage.groups.map(({ of, sum }) => sumOf(rowName(of ?? 'none', groupBy), sum));
  const rows = [...stored].reverse().flatMap(({ day, rows: all }) =>
    all.map((row) => ({
      ...sumOf('', row),
      day: startOfDay(day),
      service: row.service,
      model: row.model,
      department: row.department,
    })),
  );
  return {
    total: usage.total && sumOf('all', usage.total),
    days,
    rulesAnswers: usage.rulesAnswers,
    budget: usage.budget,
    groups: groupBy === 'day' ? groups : groups.sort((a, b) => b.calls - a.calls),
    rows: rows.slice(0, MAX_DETAILS),
  };
}

async function judgedAgents(reading: ReportReading): Promise<JudgedAgent[]> {
  goOn(reading);
  const all = await Promise.all(reading.asking.ports.reportParts.map(({ judged }) => judged?.(reading) ?? []));
  return all.flat();
}

async function readCorrelationQuality(reading: ReportReading): Promise<CorrelationQualityRead> {
  const groupBy = (reading.chosen.grouping ?? 'source') as Grouping;
  const events = await ask(reading, { metric: 'events', groupBy, isCompared: true });
  const told = await ask(reading, { metric: 'occurrences', groupBy });
  const correlated = await ask(reading, { metric: 'correlated_share', groupBy, isCompared: true });
  const incidents = await ask(reading, { metric: 'incidents' });
  const toldBy = new Map(told.rows.map(({ key, value }) => [key, value]));
  const correlatedBy = new Map(correlated.rows.map(({ key, value }) => [key, value]));
  return {
    events: events.count,
    before: events.previous?.count ?? null,
    occurrences: told.total ?? 0,
    correlatedShare: correlated.total,
    correlatedShareBefore: correlated.previous?.total ?? null,
    groups: events.rows
      .filter(({ count }) => count > 0)
      .map(({ key, label, count }) => ({
        label,
        events: count,
        occurrences: toldBy.get(key) ?? 0,
        correlatedShare: correlatedBy.get(key) ?? null,
      })),
    judged: await judgedAgents(reading),
    rows: await readIncidentRows(reading),
    incidents: incidents.count,
  };
}

const MAX_LISTED = 12;

async function readChangeRisk(reading: ReportReading): Promise<ChangeRiskRead> {
  const unit = unitFor(reading.chosen.range);
  const heard = await ask(reading, { metric: 'changes', groupBy: unit, isCompared: true });
  const byCi = await ask(reading, { metric: 'changes', groupBy: 'ci' });
  const { ciTypes } = await resolvedFilter(reading);
  const rows: ChangeRow[] = [];
  for (const { changes } of reading.asking.ports.reportParts)
    if (changes !== undefined) rows.push(...(await changes(reading, ciTypes)));
  rows.sort((a, b) => b.riskScore - a.riskScore || b.assessedAt - a.assessedAt);
  return {
    rows,
    total: rows.length,
    heard: heard.total ?? 0,
    heardBefore: heard.previous?.total ?? null,
    unit,
    heardByCi: largest(byCi.rows)
      .filter(({ label }) => label !== 'none')
      .slice(0, MAX_LISTED),
    heardOverTime: heard.rows.map(({ key, value }) => ({ at: Date.parse(key), values: [value ?? 0] })),
  };
}

type Make = (reading: ReportReading) => Promise<ReportBody>;

const making =
  <Read>(read: (reading: ReportReading) => Promise<Read>, template: Template<Read>): Make =>
  async (reading) =>
    template(await read(reading), reading.chosen);

/** Reader and template of each report. */
const MADE: Readonly<Record<TemplateId, Make>> = {
  'ci-inventory': making(readCiInventory, ciInventory),
  'event-summary': making(readEventSummary, eventSummary),
  'incident-review': making(readIncidentReview, incidentReview),
  handover: making(readHandover, handover),
  'status-update': making(readGroup, statusUpdate),
  'post-incident': making(readGroup, postIncident),
  'service-health': making(readServiceHealth, serviceHealth),
  'correlation-quality': making(readCorrelationQuality, correlationQuality),
  'change-risk': making(readChangeRisk, changeRisk),
  'ai-usage': making(readAiUsage, aiUsage),
};

export const readTold = (template: TemplateId, reading: ReportReading): Promise<ReportBody> => MADE[template](reading);
