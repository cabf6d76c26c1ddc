import { afterEach, describe, expect, test } from '@jest/globals';
import { openRecordStore } from '#infra/embedded/record-store.ts';
import { openTopology } from '#infra/embedded/topology-store.ts';
import { NOON } from '#test/contract/samples.ts';
import { note, type Stores, sideRecordsContract } from '#test/contract/side-records.ts';
import { aCi, aRelationship, TENANT } from '#test/contract/topology-samples.ts';
import { type Embedded, openEmbedded } from '#test/setup/embedded.ts';
import { setClock } from '#test/setup/set-clock.ts';

const opened: Embedded[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});
const open = async (where: 'memory' | 'file'): Promise<Stores> => {
  const embedded = openEmbedded(where);
  opened.push(embedded);
  const { database, tables, reader } = embedded;
  return {
    records: openRecordStore(database, tables.records, setClock(NOON)),
    ...openTopology(database, tables, undefined, reader).ports,
  };
};

sideRecordsContract('SQLite in memory', () => open('memory'));
sideRecordsContract('SQLite in a file', () => open('file'));

describe('a change is not made without what goes along with it', () => {
  /** Nothing can keep this. */
  const broken = note('x', 1n);

  test('of records', async () => {
    const { records } = await open('memory');
    await records.put(TENANT, 'thing', 'old', 1);
    await expect(records.put(TENANT, 'thing', 'new', 1, { sideRecords: [broken] })).rejects.toThrow(/BigInt/);
    await expect(records.remove(TENANT, 'thing', 'old', [broken])).rejects.toThrow(/BigInt/);
    expect((await records.list(TENANT, 'thing', { limit: 9 })).map(({ id }) => id)).toEqual(['old']);
    expect([await records.get(TENANT, 'thing', 'new'), (await records.get(TENANT, 'thing', 'old'))?.body]).toEqual([
      null,
      1,
    ]);
  });

  test('of the topology, in the file and in memory', async () => {
    const stores = await open('memory');
    await stores.cis.put(TENANT, [aCi('a'), aCi('b')]);
    await stores.relationships.put(TENANT, [aRelationship('r', 'a', 'b')]);
    await expect(stores.cis.put(TENANT, [aCi('c')], [broken])).rejects.toThrow(/BigInt/);
    await expect(stores.relationships.put(TENANT, [aRelationship('s', 'b', 'a')], [broken])).rejects.toThrow(/BigInt/);
    await expect(stores.relationships.remove(TENANT, 'r', 200, { sideRecords: () => [broken] })).rejects.toThrow(
      /BigInt/,
    );
    await expect(stores.cis.remove(TENANT, 'a', 200, { cascade: true, sideRecords: () => [broken] })).rejects.toThrow(
      /BigInt/,
    );
    expect((await stores.topology.getCis(TENANT, ['a', 'b', 'c'])).map(({ id }) => id)).toEqual(['a', 'b']);
    const neighbourhood = await stores.graph.neighbourhood(TENANT, 'a', { hops: 1, direction: 'both', limit: 9 });
    expect([neighbourhood.edges.map(({ id }) => id), await stores.counts.cis(TENANT)]).toEqual([['r'], 2]);
    expect((await stores.matcher.bind(TENANT, [{ hostname: 'c' }]))[0]!.ci).toBeNull();
  });
});
