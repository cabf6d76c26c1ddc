import { EVERY_PART } from '#domain/pipeline/batch.ts';
import type { EventPorts } from '#domain/ports/events/event-ports.ts';
import type { EventTable } from './events/table.ts';
import type { Database } from './journal/database.ts';
import type { Reader } from './reader/reader.ts';

/** Points are read here, lists and counts in the reader thread. */
export const openEventPorts = (database: Database, table: EventTable, reader: Reader): EventPorts => ({
  events: {
    save: (events) =>
      database.exclusive(() =>
        database.transaction(() => events.filter((event) => table.write(event, EVERY_PART)).length),
      ),
    get: async (tenant, id) => table.get(tenant, id) ?? null,
    getMany: async (tenant, ids) => table.getMany(ids.map((id) => ({ tenant, id }))),
    find: (tenant, filter, page) => reader.run('events.find', { tenant, filter, page }),
  },
  sweeps: {
    unbound: (tenant, page) => reader.run('events.unbound', { tenant, page }),
    silent: (tenant, filter, page) => reader.run('events.silent', { tenant, filter, page }),
    silencers: () => reader.run('events.silencers', undefined),
    silenced: (silencer, page) => reader.run('events.silenced', { silencer, page }),
    refresh: async () => undefined,
  },
  eventCounts: {
    stats: (tenant, from, to) => reader.run('events.stats', { tenant, from, to }),
    openOn: (tenant, ciIds, statuses) => reader.run('events.open-on', { tenant, ciIds, statuses }),
    caught: (tenant, by) => reader.run('events.caught', { tenant, by }),
  },
  eventHistory: {
    history: (tenant, signatures, range) => reader.run('events.history', { tenant, signatures, ...range }),
  },
  eventAggregates: {
    aggregate: (tenant, filter, request) => reader.run('events.aggregate', { tenant, filter, request }),
  },
  eventSummaries: {
    facets: (tenant, filter) => reader.run('events.facets', { tenant, filter }),
    histogram: (tenant, filter, range) => reader.run('events.histogram', { tenant, filter, range }),
  },
});
