import { correlationStoreContract } from '#test/contract/correlation-store.ts';
import { eventStoreContract } from '#test/contract/event-store.ts';
import { recordStoreContract } from '#test/contract/record-store.ts';
import { ownElasticsearch } from './own-elasticsearch.ts';

eventStoreContract('Elasticsearch', async () => {
  const { events, close } = await ownElasticsearch();
  return { store: events, close };
});

correlationStoreContract('Elasticsearch', async () => {
  const { correlation, close } = await ownElasticsearch();
  return { store: correlation, close };
});

recordStoreContract('Elasticsearch', async (clock) => {
  const { records, close } = await ownElasticsearch(clock);
  return { store: records, close };
});
