import type { Reading } from './database.ts';
import { type EnrichedRange, enrichedBetween } from './enriched-between.ts';
import { EnrichedTable } from './enriched-table.ts';
import { type FindEvents, findEvents } from './event-find.ts';
import { type OpenOn, openOn } from './event-open-on.ts';
import { eventStats, type StatsRange } from './event-stats.ts';
import { type FindGroups, findGroups } from './group-find.ts';

/** Every query that may take long, by name: they run in the reader thread. */
export function openQueries(reading: Reading) {
  const records = new EnrichedTable(reading);
  return {
    'events.find': (query: FindEvents) => findEvents(reading, query),
    'events.stats': (query: StatsRange) => eventStats(reading, query),
    'events.open-on': (query: OpenOn) => openOn(reading, query),
    'groups.find': (query: FindGroups) => findGroups(reading, query),
    'enriched.between': (query: EnrichedRange) => enrichedBetween(reading, records, query),
  };
}

export type Queries = ReturnType<typeof openQueries>;
export type QueryName = keyof Queries;
export type Query<N extends QueryName> = Parameters<Queries[N]>[0];
export type Answer<N extends QueryName> = ReturnType<Queries[N]>;
