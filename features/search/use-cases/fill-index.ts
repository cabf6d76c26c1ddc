import { restAfter } from '#application/operations/paced.ts';
import { eachActiveTenant } from '#application/records/each-tenant.ts';
import { lastItem } from '#domain/assert.ts';
import type { MemorySlot } from '#domain/ports/memory.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { SERVICE_KINDS } from '#domain/services/service.ts';
import { INSIGHT_KIND, type StoredInsight } from '#features/insights/use-cases/insight-records.ts';
import { newestReports } from '#features/reports/use-cases/report-records.ts';
import { indexKind } from './index-due.ts';
import { indexEvents } from './index-events.ts';

/** Progress of a tenant's index over data from before the index existed. */
const KIND = 'search-fill';
const ID = 'state';
/** Incremented when documents of stored data must be built again. */
const VERSION = 2;

/** Things read at once. */
const PAGE = 200;
/** Events and groups that are looked at, the newest. */
const MOST = 100_000;
/** Time limit per tenant, ms; the next one follows. */
const TURN_MS = 20_000;

const STEPS = ['service', 'ci', 'insight', 'report', 'incident', 'complaint'] as const;
type FillStep = (typeof STEPS)[number];

interface FillState {
  readonly version: number;
  /** Null: all is done. */
  readonly step: FillStep | null;
  /** Position of the step; null: at its start. */
  readonly after: string | null;
  /** Things that the step has looked at. */
  readonly count: number;
}
const BEGIN: FillState = { version: VERSION, step: STEPS[0], after: null, count: 0 };

interface Filled {
  readonly count: number;
  /** Null: there are no more. */
  readonly next: string | null;
}
type Fill = (ports: Ports, tenant: string, after: string | null) => Promise<Filled>;

const goingOn = (after: string | null) => (after === null ? {} : { cursor: after });

const services: Fill = async (ports, tenant, after) => {
  const options = { limit: PAGE, ...(after !== null && { after }) };
  const page = await ports.records.list(tenant, SERVICE_KINDS.service, options);
  await indexKind(
    ports,
    tenant,
    'service' as const,
    page.map(({ id }) => id),
  );
  return { count: page.length, next: page.length < PAGE ? null : lastItem(page).id };
};

const cis: Fill = async (ports, tenant, after) => {
  const asked = { sort: 'created_at', order: 'asc', limit: PAGE, ...goingOn(after) } as const;
  const { items, nextCursor } = await ports.topology.findCis(tenant, {}, asked);
  await indexKind(
    ports,
    tenant,
    'ci' as const,
    items.map(({ id }) => id),
  );
  return { count: items.length, next: nextCursor };
};

const insights: Fill = async (ports, tenant, after) => {
  const options = { limit: PAGE, ...(after !== null && { after }) };
  const page = await ports.records.list<StoredInsight>(tenant, INSIGHT_KIND, options);
  await indexKind(ports, tenant, 'insight', [...new Set(page.map(({ body }) => body.ciId))]);
  return { count: page.length, next: page.length < PAGE ? null : lastItem(page).id };
};

const reports: Fill = async (ports, tenant) => {
  const all = await newestReports(ports.records, tenant);
  await indexKind(
    ports,
    tenant,
    'report' as const,
    all.map(({ id }) => id),
  );
  return { count: all.length, next: null };
};

const incidents: Fill = async (ports, tenant, after) => {
  const asked = { sort: 'last', order: 'desc', limit: PAGE, ...goingOn(after) } as const;
  const { items, nextCursor } = await ports.correlation.groups(tenant, {}, asked);
  await indexKind(
    ports,
    tenant,
    'incident' as const,
    items.map(({ id }) => id),
  );
  return { count: items.length, next: nextCursor };
};

const complaints: Fill = async (ports, tenant, after) => {
  const asked = { sort: 'createdAt', order: 'desc', limit: PAGE, ...goingOn(after) } as const;
  const { items, nextCursor } = await ports.events.part(tenant, {}, asked);
  await indexEvents(ports, tenant, items);
  return { count: items.length, next: nextCursor };
};

const FILL: Readonly<Record<FillStep, Fill>> = {
  service: services,
  ci: cis,
  insight: insights,
  report: reports,
  incident: incidents,
  complaint: complaints,
};
/** Steps with a limit; services and CIs are indexed completely. */
const IS_BOUNDED: ReadonlySet<FillStep> = new Set(['insight', 'incident', 'complaint']);

const nextStep = (step: FillStep): FillStep | null => STEPS[STEPS.indexOf(step) + 1] ?? null;

const advanced = (state: FillState, step: FillStep, { count, next }: Filled): FillState => {
  const total = state.count + count;
  const isOver = next === null || (IS_BOUNDED.has(step) && total >= MOST);
  return isOver ? { ...BEGIN, step: nextStep(step) } : { ...state, after: next, count: total };
};

/** True when nothing is left to do. */
async function fillTenant(ports: Ports, tenant: string, isStopping: () => boolean): Promise<boolean> {
  const { records, clock } = ports;
  const stored = (await records.get<FillState>(tenant, KIND, ID))?.body;
  let state = stored?.version === VERSION ? stored : BEGIN;
  const began = clock.steady();
  while (state.step !== null && !isStopping() && clock.steady() - began < TURN_MS) {
    const since = clock.steady();
    state = advanced(state, state.step, await FILL[state.step](ports, tenant, state.after));
    await records.put<FillState>(tenant, KIND, ID, state);
    await restAfter(ports, { tookMs: clock.steady() - since, mayStop: isStopping });
  }
  return state.step === null;
}

/** Tenants of which the index has all that was there before it. */
export const FILLED: MemorySlot<Set<string>> = { name: 'search-filled', open: () => new Set() };

/** Indexes data from before the index existed; new data is indexed by its own events. A crash costs one page. `filled`: tenants without remaining work. */
export const fillIndex = (ports: Ports, filled: Set<string>, isStopping: () => boolean): Promise<void> => {
  const failed = (count: number): string => `Couldn't build the search index of ${count} tenants`;
  return eachActiveTenant(ports.records, { isStopping, failed }, async (tenant) => {
    if (filled.has(tenant)) return;
    if (await fillTenant(ports, tenant, isStopping)) filled.add(tenant);
  });
};
