import { byTenant } from '#application/operations/by-tenant.ts';
import { groupSinkEvent } from '#application/operations/group-sink-event.ts';
import { DECIDED_MS, paced } from '#application/operations/paced.ts';
import { analysingSettings } from '#application/records/tenant-settings.ts';
import type { Event } from '#domain/event/event.ts';
import type { Saved } from '#domain/event/incoming.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { Sink, SinkEvent } from '#domain/ports/sink.ts';
import { slices } from '#domain/slices.ts';
import { skipReason } from '#features/analysis/rules/skipped.ts';
import { firstOfStorm, isStorm } from '#features/analysis/rules/storm.ts';
import { isWanted } from '#features/webhooks/use-cases/wanted.ts';
import { correlationChanges, eventsSaved } from '#schemas/topics/topics.ts';
import { analyseEvents, isAnalysed } from './analyse-events.ts';
import { DEFERRED_KIND, type DeferredAnalyses } from './deferred-records.ts';
import { takeGroups } from './incidents.ts';

/** Maximum number of IDs in one record, and of events analyzed at once. */
const AT_ONCE = 500;
/** Events received within this time are analyzed together, ms. */
const EVERY_MS = 2_000;
/** Events that no run reached by then get their analysis on request, ms. */
const LEFT_FOR_MS = 7 * 24 * 3_600_000;

const leave = async ({ records, ids: { ulid }, clock, metrics }: Ports, tenant: string, events: readonly Event[]) => {
  const expiresAt = clock.now() + LEFT_FOR_MS;
  for (const some of slices(events, AT_ONCE)) {
    const ids = some.map(({ id }) => id);
    await records.put<DeferredAnalyses>(tenant, DEFERRED_KIND, ulid(), { ids }, { expiresAt });
  }
  metrics.count('faultline_analyses_put_off_total', {}, events.length);
};

const takeOf = async (ports: Ports, tenant: string, ids: readonly string[], lag: number): Promise<void> => {
  const settings = await analysingSettings(ports, tenant);
  if (settings === null) return;
  const events = (await ports.events.getMany(tenant, ids)).filter((event) => !isAnalysed(event));
  const isTold = ports.model !== null || (await isWanted(ports, tenant, 'analysis.completed'));
  const reasons = Map.groupBy(events, (event) => skipReason(event, isTold));
  const telling = reasons.get(null) ?? [];
  const { now, later } = isStorm(lag) ? firstOfStorm(telling) : { now: telling, later: [] };
  await leave(ports, tenant, later);
  reasons.delete(null);
  await analyseEvents(ports, tenant, now, settings, [...reasons.values()].flat());
  for (const [reason, { length }] of reasons)
    ports.metrics.count('faultline_analyses_skipped_total', { reason: reason! }, length);
};

/** Analyzes new events; in a storm only the relevant ones, and defers the others. All of it is durable when it resolves. */
export const takeCreated = async (ports: Ports, batch: readonly SinkEvent[], lag: number): Promise<void> => {
  const created = batch.filter(({ happened }) => happened === 'created');
  await byTenant(created, async (tenant, own) => {
    const ids = [...new Set(own.map(({ id }) => id))];
    for (const some of slices(ids, AT_ONCE)) await takeOf(ports, tenant, some, lag);
  });
};

/** Analyses every new event. */
export const analyse: Sink = {
  kind: 'sink',
  name: 'analyse',
  input: eventsSaved,
  told(value) {
    const saved = value as Saved;
    return saved.happened === 'created' ? { happened: 'created', id: saved.event.id } : null;
  },
  delayMs: DECIDED_MS,
  everyMs: EVERY_MS,
  open: (ports) => paced((batch, { lag }) => takeCreated(ports, batch, lag), ports),
};

/** Analyses the causes of groups again, and groups once they are quiet. */
export const analyseGroups: Sink = {
  kind: 'sink',
  name: 'analyse.groups',
  input: correlationChanges,
  told: groupSinkEvent,
  delayMs: DECIDED_MS,
  everyMs: EVERY_MS,
  open: (ports) => paced((batch) => takeGroups(ports, batch), ports),
};
