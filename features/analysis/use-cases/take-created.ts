import { analysingSettings } from '#application/records/tenant-settings.ts';
import type { Event } from '#domain/event/event.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { Happening } from '#domain/ports/sink.ts';
import { slices } from '#domain/slices.ts';
import { firstOfStorm, isStorm } from '#features/analysis/rules/storm.ts';
import { analyseEvents, isAnalysed } from './analyse-events.ts';
import { LEFT_KIND, type Left } from './left-records.ts';

/** Ids kept in one record, and events analysed at once. */
const AT_ONCE = 500;
/** Events that no run reached by then get their analysis on request, ms. */
const LEFT_FOR_MS = 7 * 24 * 3_600_000;

const leave = async ({ records, ids: { ulid }, clock, metrics }: Ports, tenant: string, events: readonly Event[]) => {
  const expiresAt = clock.now() + LEFT_FOR_MS;
  for (const some of slices(events, AT_ONCE)) {
    const ids = some.map(({ id }) => id);
    await records.put<Left>(tenant, LEFT_KIND, ulid(), { ids }, { expiresAt });
  }
  metrics.count('faultline_analyses_put_off_total', {}, events.length);
};

const takeOf = async (ports: Ports, tenant: string, ids: readonly string[], lag: number): Promise<void> => {
  const settings = await analysingSettings(ports, tenant);
  if (settings === null) return;
  const events = (await ports.events.getMany(tenant, ids)).filter((event) => !isAnalysed(event));
  const { now, later } = isStorm(lag) ? firstOfStorm(events) : { now: events, later: [] };
  await leave(ports, tenant, later);
  await analyseEvents(ports, tenant, now, settings);
};

/** Analyses new events; in a storm the telling ones, and leaves word of the others. All of it is durable when it resolves. */
export const takeCreated = async (ports: Ports, batch: readonly Happening[], lag: number): Promise<void> => {
  const created = batch.filter(({ happened }) => happened === 'created');
  for (const [tenant, own] of Map.groupBy(created, (one) => one.tenant)) {
    const ids = [...new Set(own.map(({ id }) => id))];
    for (const some of slices(ids, AT_ONCE)) await takeOf(ports, tenant, some, lag);
  }
};
