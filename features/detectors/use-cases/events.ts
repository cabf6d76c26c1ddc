import type { Event } from '#domain/event/event.ts';
import type { EventFilter } from '#domain/ports/events/event-store.ts';
import { detectFlapping } from '#features/detectors/rules/flapping.ts';
import { detectLonelyCis, type LonelyCi } from '#features/detectors/rules/missing-relationship.ts';
import {
  detectNeverAcknowledged,
  WAITING_HOURS,
  type WaitingSeen,
} from '#features/detectors/rules/never-acknowledged.ts';
import { type BoundSeen, detectUnboundShare } from '#features/detectors/rules/unbound-share.ts';
import { type DetectorAsking, type DetectorReading, eventsHref, HOUR_MS, type Looked } from './asking.ts';

/** Maximum of events checked for flapping, the newest; and CIs with most events. */
const MAX_EVENTS = 1_000;
const PAGE = 500;
const MAX_CIS = 200;
const OLDEST = 5;
const BUCKETS = 1_000;

const SEVERE = ['critical', 'major'] as const;

/** Returns the filter for events on the requested CIs. */
const onCis = ({ ciIds }: DetectorAsking): EventFilter => (ciIds === null ? {} : { ciId: ciIds });

async function newest(asking: DetectorAsking): Promise<{ readonly events: readonly Event[]; readonly total: number }> {
  const { tenant, ports, range } = asking;
  const filter = { ...onCis(asking), ...range };
  const page = { sort: 'lastOccurrence', order: 'desc', limit: PAGE } as const;
  const first = await ports.events.find(tenant, filter, page);
  if (first.nextCursor === null || MAX_EVENTS <= PAGE) return { events: first.items, total: first.total };
  const second = await ports.events.find(tenant, filter, { ...page, cursor: first.nextCursor });
  return { events: [...first.items, ...second.items], total: first.total };
}

async function waiting(asking: DetectorAsking): Promise<WaitingSeen> {
  const { tenant, ports, range, receivedAt: now } = asking;
  const severe = { ...onCis(asking), severities: SEVERE };
  const to = Math.min(range.to, now - WAITING_HOURS * HOUR_MS);
  const oldest = { sort: 'timestamp', order: 'asc', limit: OLDEST } as const;
  const [open, all] = await Promise.all([
    to <= range.from
      ? { items: [], total: 0 }
      : ports.events.find(tenant, { ...severe, statuses: ['open'], from: range.from, to }, oldest),
    ports.events.find(tenant, { ...severe, ...range }, { ...oldest, limit: 1 }),
  ]);
  return { total: open.total, severe: all.total, oldest: open.items, now };
}

async function bound(asking: DetectorAsking): Promise<BoundSeen> {
  const { tenant, ports, range, scope } = asking;
  const by = { measure: 'events', limit: BUCKETS } as const;
  const filter = { ...scope, ...range };
  const [cis, sources] = await Promise.all([
    ports.eventAggregates.aggregate(tenant, filter, { ...by, by: [] }),
    ports.eventAggregates.aggregate(tenant, filter, { ...by, by: ['source', 'ci'], limit: 10 * BUCKETS }),
  ]);
  const known = new Map<string, { total: number; unbound: number }>();
  for (const { keys, count } of sources.buckets) {
    const [source, ci] = keys;
    const one = known.get(source ?? '') ?? { total: 0, unbound: 0 };
    known.set(source ?? '', { total: one.total + count, unbound: one.unbound + (ci === null ? count : 0) });
  }
  const listed = [...known].map(([source, one]) => ({ source, ...one })).sort((a, b) => b.unbound - a.unbound);
  const unbound = listed.reduce((sum, one) => sum + one.unbound, 0);
  return { total: cis.buckets[0]?.count ?? 0, unbound, sources: listed, href: eventsHref(range) };
}

/** CIs with most events, and how many relationships they have. */
async function lonely(
  asking: DetectorAsking,
): Promise<{ readonly seen: readonly LonelyCi[]; readonly truncated: boolean }> {
  const { tenant, ports, range, scope } = asking;
  const request = { measure: 'events', by: ['ci'], limit: MAX_CIS } as const;
  const { buckets, truncated } = await ports.eventAggregates.aggregate(tenant, { ...scope, ...range }, request);
  const counts = new Map(buckets.flatMap(({ keys: [id], count }) => (id ? [[id, count]] : [])));
  const ids = [...counts.keys()];
  const [cis, relationships] = await Promise.all([
    ports.topology.getCis(tenant, ids),
    ports.counts.relationships(tenant, ids),
  ]);
  const seen = cis.map(({ id, name, type }) => ({
    ci: { id, name, type },
    events: counts.get(id) ?? 0,
    relationships: relationships.get(id) ?? 0,
  }));
  return { seen, truncated };
}

const lookedAtEvents = (read: Awaited<ReturnType<typeof newest>> | null): Looked[] =>
  read === null ? [] : [{ what: 'events', read: read.events.length, truncated: read.total > read.events.length }];
const lookedAtCis = ({ seen, truncated }: Awaited<ReturnType<typeof lonely>>): Looked => ({
  what: 'cis',
  read: seen.length,
  truncated,
});

/** Detectors of events: flapping, waiting and unbound ones, and CIs without relationships. */
export const eventReading: DetectorReading = {
  kinds: ['flapping', 'never-acknowledged', 'unbound-share', 'missing-relationship'],
  async detect(asking, isWanted) {
    const flapping = isWanted('flapping') ? await newest(asking) : null;
    // Requested CIs include no event without a CI.
    const isShare = isWanted('unbound-share') && asking.ciIds === null;
    const [waits, share, alone] = await Promise.all([
      isWanted('never-acknowledged') ? waiting(asking) : null,
      isShare ? bound(asking) : null,
      isWanted('missing-relationship') ? lonely(asking) : null,
    ]);
    return {
      findings: [
        ...(flapping === null ? [] : detectFlapping(flapping.events)),
        ...(waits === null ? [] : detectNeverAcknowledged(waits)),
        ...(share === null ? [] : detectUnboundShare(share)),
        ...(alone === null ? [] : detectLonelyCis(alone.seen)),
      ],
      looked: [...lookedAtEvents(flapping), ...(alone === null ? [] : [lookedAtCis(alone)])],
    };
  },
};
