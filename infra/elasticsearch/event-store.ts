import type { PageRequest, Part } from '#domain/page.ts';
import type { EventAggregates } from '#domain/ports/events/event-aggregates.ts';
import type { EventCounts } from '#domain/ports/events/event-counts.ts';
import type { EventHistory } from '#domain/ports/events/event-history.ts';
import type { EventPorts } from '#domain/ports/events/event-ports.ts';
import type { EventSort, EventStore } from '#domain/ports/events/event-store.ts';
import type { EventSummaries } from '#domain/ports/events/event-summaries.ts';
import type { EventSweeps } from '#domain/ports/events/event-sweeps.ts';
import type { DocumentQuery } from './cluster/search.ts';
import type { Store } from './cluster/store.ts';
import { type EventDocument, eventWrite, readEvents } from './documents/event-document.ts';
import { aggregateEvents } from './queries/event-aggregate.ts';
import { historyOf } from './queries/event-history.ts';
import { openOn } from './queries/event-open-on.ts';
import { eventQuery, silentQuery } from './queries/event-query.ts';
import { caught, heldQuery, silencers } from './queries/event-silenced.ts';
import { eventStats } from './queries/event-stats.ts';
import { facetsOf, histogramOf } from './queries/event-summaries.ts';
import { findPage, findPart, type PageSearch } from './queries/find-page.ts';

const SORTS: Readonly<Record<EventSort, string>> = {
  timestamp: 'event.timestamp',
  createdAt: 'event.createdAt',
  lastOccurrence: 'event.lastOccurrence',
  occurrenceCount: 'event.count',
  severity: 'rank',
};

const eventsAmong = <Found extends Part<EventDocument>>(found: Found) => ({
  ...found,
  items: found.items.map(({ event }) => event),
});

/** Lists of events by any query. */
const listsOf = ({ connection, names, indices }: Store) => {
  const searchOf = (query: DocumentQuery, page: PageRequest<EventSort>): PageSearch<EventSort> => ({
    index: names.every('events'),
    query,
    page,
    key: SORTS[page.sort],
    id: 'event.id',
  });
  return {
    async pageOf(query: DocumentQuery, page: PageRequest<EventSort>, tenant: string) {
      await indices.fresh('events', tenant);
      return eventsAmong(await findPage<EventDocument, EventSort>(connection, searchOf(query, page)));
    },
    async partOf(query: DocumentQuery, page: PageRequest<EventSort>, tenant?: string) {
      await indices.fresh('events', tenant);
      return eventsAmong(await findPart<EventDocument, EventSort>(connection, searchOf(query, page)));
    },
  };
};

/** Point reads return the latest save; lists include saves of this process, and others' saves within a refresh. */
const eventsIn = (store: Store): EventStore => {
  const { names, bulk } = store;
  const { pageOf, partOf } = listsOf(store);
  return {
    async save(events) {
      const outcomes = await bulk.write(events.map((event) => eventWrite(names, event, true)));
      return outcomes.filter((outcome) => outcome === 'written').length;
    },
    get: async (tenant, id) => (await readEvents(store, [{ tenant, id }]))[0] ?? null,
    getMany: (tenant, ids) =>
      readEvents(
        store,
        ids.map((id) => ({ tenant, id })),
      ),
    find: async (tenant, filter, page) => pageOf(eventQuery(tenant, filter), page, tenant),
    part: async (tenant, filter, page) => partOf(eventQuery(tenant, filter), page, tenant),
  };
};

const sweepsOf = (store: Store): EventSweeps => {
  const { connection, names, indices } = store;
  const { partOf } = listsOf(store);
  return {
    unbound: async (tenant, page) =>
      partOf(eventQuery(tenant, { unbound: {} }), { ...page, sort: 'createdAt', order: 'desc' }, tenant),
    silent: async (tenant, filter, page) =>
      partOf(silentQuery(tenant, filter), { ...page, sort: 'lastOccurrence', order: 'asc' }, tenant),
    async silencers() {
      await indices.fresh('events');
      return silencers(connection, names.every('events'));
    },
    silenced: async (silencer, page) => partOf(heldQuery(silencer), { ...page, sort: 'createdAt', order: 'asc' }),
    refresh: () => indices.refresh('events'),
  };
};

const countsOf = ({ connection, names, indices }: Store): EventCounts => ({
  async stats(tenant, from, to) {
    await indices.fresh('events', tenant);
    return eventStats(connection, names.every('events'), [tenant, from, to]);
  },
  async openOn(tenant, ciIds, statuses) {
    await indices.fresh('events', tenant);
    return openOn(connection, names.every('events'), [tenant, ciIds, statuses]);
  },
  async caught(tenant, by) {
    await indices.fresh('events', tenant);
    return caught(connection, names.every('events'), [tenant, by]);
  },
});

const historyIn = ({ connection, names, indices }: Store): EventHistory => ({
  async history(tenant, signatures, range) {
    await indices.fresh('events', tenant);
    return historyOf(connection, names.every('events'), { tenant, signatures, ...range });
  },
});

const aggregatesOf = ({ connection, names, indices }: Store): EventAggregates => ({
  async aggregate(tenant, filter, request) {
    await indices.fresh('events', tenant);
    return aggregateEvents(connection, names.every('events'), { tenant, filter, request });
  },
});

const summariesOf = ({ connection, names, indices }: Store): EventSummaries => ({
  async facets(tenant, filter) {
    await indices.fresh('events', tenant);
    return facetsOf(connection, names.every('events'), [tenant, filter]);
  },
  async histogram(tenant, filter, range) {
    await indices.fresh('events', tenant);
    return histogramOf(connection, names.every('events'), [tenant, filter, range]);
  },
});

export const openEventPorts = (store: Store): EventPorts => ({
  events: eventsIn(store),
  sweeps: sweepsOf(store),
  eventCounts: countsOf(store),
  eventHistory: historyIn(store),
  eventAggregates: aggregatesOf(store),
  eventSummaries: summariesOf(store),
});
