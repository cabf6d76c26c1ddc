import { afterAll, beforeAll } from '@jest/globals';
import type { Clock } from '#domain/ports/clock.ts';
import { correlationHistoryContract } from '#test/contract/correlation-history.ts';
import { correlationStoreContract } from '#test/contract/correlation-store.ts';
import { eventAggregatesContract } from '#test/contract/event-aggregates.ts';
import { eventPortsContract } from '#test/contract/event-store.ts';
import { eventSummariesContract } from '#test/contract/event-summaries.ts';
import { groupRowsContract } from '#test/contract/group-rows.ts';
import { recordStoreContract } from '#test/contract/record-store.ts';
import { searchIndexContract } from '#test/contract/search-index.ts';
import { setClock } from '#test/setup/set-clock.ts';
import { type OwnElasticsearch, ownElasticsearch } from './own-elasticsearch.ts';

/** Opened once: every test recreates its indices, which is slow enough. */
let own: OwnElasticsearch;
let clock: Clock;
beforeAll(async () => {
  own = await ownElasticsearch({ ...setClock(0), now: () => clock.now() });
});
afterAll(() => own.close());

const open = async () => ({ store: own, close: own.wipe });
eventPortsContract('Elasticsearch', open);
eventAggregatesContract('Elasticsearch', open);
eventSummariesContract('Elasticsearch', open);

correlationStoreContract('Elasticsearch', async () => ({
  store: { ...own.correlation, ...own.links },
  close: own.wipe,
}));

correlationHistoryContract('Elasticsearch', open);

searchIndexContract('Elasticsearch', async () => {
  clock = setClock(0);
  return { store: own.searchIndex, close: own.wipe };
});

groupRowsContract('Elasticsearch', async () => {
  clock = setClock(0);
  return { store: own, close: own.wipe };
});

recordStoreContract('Elasticsearch', async (given) => {
  clock = given;
  return { store: own.records, close: own.wipe };
});
