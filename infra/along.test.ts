import { afterEach, expect, test } from '@jest/globals';
import { alongContract, note, type Stores } from '#test/contract/along.ts';
import { NOON } from '#test/contract/samples.ts';
import { aCi, TENANT } from '#test/contract/topology-samples.ts';
import { type Embedded, openEmbedded } from '#test/setup/embedded.ts';
import { setClock } from '#test/setup/set-clock.ts';
import { recordsAlong, topologyAlong } from './along.ts';
import { openRecordStore } from './embedded/record-store.ts';
import { openTopology } from './embedded/topology.ts';

const opened: Embedded[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

/** Stores that know nothing of what goes along. */
const apart = (): Stores => {
  const embedded = openEmbedded('memory');
  opened.push(embedded);
  const records = openRecordStore(embedded.database, setClock(NOON));
  const topology = openTopology(embedded.database, undefined, embedded.reader).store;
  return {
    records: {
      ...records,
      put: (tenant, kind, id, body, { along: _, ...options } = {}) => records.put(tenant, kind, id, body, options),
      remove: (tenant, kind, id) => records.remove(tenant, kind, id),
    },
    topology: {
      ...topology,
      putCis: (tenant, cis) => topology.putCis(tenant, cis),
      putRelationships: (tenant, relationships) => topology.putRelationships(tenant, relationships),
      removeCi: (tenant, id, at, { along: _, ...how } = {}) => topology.removeCi(tenant, id, at, how),
      removeRelationship: (tenant, id, at, { along: _, ...how } = {}) =>
        topology.removeRelationship(tenant, id, at, how),
    },
  };
};

alongContract('A pair of stores', async () => {
  const { records, topology } = apart();
  return { records: recordsAlong(records), topology: topologyAlong(topology, records) };
});

test('the change comes first: what goes along never tells of one that was not made', async () => {
  const { records, topology } = apart();
  const down = { ...topology, putCis: () => Promise.reject(new Error('down')) };
  await expect(topologyAlong(down, records).putCis(TENANT, [aCi('a')], [note('1')])).rejects.toThrow('down');
  expect(await records.get(TENANT, 'note', '1')).toBeNull();
});
