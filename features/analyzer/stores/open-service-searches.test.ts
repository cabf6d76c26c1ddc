import { zstdCompressSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { infrastructureIn } from '#features/analyzer/stores/connect-infrastructure.ts';
import { type SearchedStore, serviceSearchesContract } from '#features/analyzer/stores/service-searches-for-tests.ts';
import { openTables } from '#infra/embedded/open-tables.ts';
import { openRecordStore } from '#infra/embedded/record-store.ts';
import { MEMORY, openDatabase } from '#infra/embedded/redo-log/database.ts';
import { openTopology } from '#infra/embedded/topology-store.ts';
import { aCi, aRelationship } from '#test/contract/topology-samples.ts';
import { temporaryDirectory } from '#test/setup/directory.ts';
import { memoryDatabase } from '#test/setup/empty-database.ts';
import { setClock } from '#test/setup/set-clock.ts';
import { DEGREES, makeInfrastructure } from '../../../bench/infrastructures.ts';
import { openServiceSearches } from './open-service-searches.ts';

function storeIn(directory: string, remove: () => void, stepMs?: number): SearchedStore {
  const clock = setClock(10_000);
  const database = openDatabase(directory);
  const tables = openTables(database);
  const records = openRecordStore(database, tables.records, clock);
  const { ports } = openTopology(database, tables);
  const connect = infrastructureIn(database.path, clock);
  const searches = openServiceSearches({
    estate: ports.estate,
    records,
    connect,
    ...(stepMs !== undefined && { stepMs }),
  });
  return {
    ports: { ...ports, records },
    searches,
    settled: () => database.applied(),
    async close() {
      await database.endWriter();
      database.close();
      remove();
    },
  };
}
const inMemory = (stepMs?: number): SearchedStore => storeIn(MEMORY, () => {}, stepMs);
function inFile(): SearchedStore {
  const { path, remove } = temporaryDirectory();
  return storeIn(path, remove);
}

serviceSearchesContract('A search that is given rows', inMemory);
serviceSearchesContract('A search whose rows another thread reads', inFile);

test('a step that takes too long is given up', async () => {
  const { searches, close } = inMemory(1);
  const search = searches.open({ tenant: 'acme', networks: 'network' });
  const { estate } = makeInfrastructure(2, DEGREES[0]!, 1);
  const rows = JSON.stringify(estate.cis.map(({ id, name, type }) => [id, name, type, []]));
  search.again('cis', zstdCompressSync(rows).toString('base64'));
  await expect(search.run('hubs', null)).rejects.toThrow('Search timed out after 1 ms: the step hubs');
  await expect(search.run('hubs', null)).rejects.toThrow('timed out');
  await search.close();
  await close();
});

test('a thread that cannot open the file is told', async () => {
  const clock = setClock(10_000);
  const database = memoryDatabase();
  const tables = openTables(database);
  const { ports } = openTopology(database, tables);
  const connect = infrastructureIn('/nowhere/faultline.db', clock);
  const records = openRecordStore(database, tables.records, clock);
  const search = openServiceSearches({ estate: ports.estate, records, connect }).open({
    tenant: 'acme',
    networks: 'network',
  });
  await expect(search.read('cis')).rejects.toThrow('The thread that reads the infrastructure has ended');
  await search.close();
  database.close();
});

test('a store that cannot be read is told, and the search is of use again', async () => {
  const { path, remove } = temporaryDirectory();
  const { ports, searches, close } = storeIn(path, remove);
  await ports.cis.put('acme', [aCi('a'), aCi('b')]);
  await ports.relationships.put('acme', [aRelationship('r', 'a', 'b')]);
  const search = searches.open({ tenant: 'acme', networks: 'network' });
  await expect(search.read('links', 'no cursor')).rejects.toThrow('The search for services has failed');
  expect(await search.read('links')).toMatchObject({ count: 0, rows: 1 });
  await search.close();
  await close();
});
