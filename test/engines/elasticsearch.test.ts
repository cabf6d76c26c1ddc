import { afterAll, beforeAll } from '@jest/globals';
import type { Clock } from '#domain/ports/clock.ts';
import { correlationStoreContract } from '#test/contract/correlation-store.ts';
import { eventPortsContract } from '#test/contract/event-store.ts';
import { recordStoreContract } from '#test/contract/record-store.ts';
import { type OwnElasticsearch, ownElasticsearch } from './own-elasticsearch.ts';

/** Opened once: every test makes its indices anew, which takes long enough. */
let own: OwnElasticsearch;
let clock: Clock;
beforeAll(async () => {
  own = await ownElasticsearch({ now: () => clock.now() });
});
afterAll(() => own.close());

eventPortsContract('Elasticsearch', async () => ({ store: own, close: own.wipe }));

correlationStoreContract('Elasticsearch', async () => ({ store: own.correlation, close: own.wipe }));

recordStoreContract('Elasticsearch', async (given) => {
  clock = given;
  return { store: own.records, close: own.wipe };
});
