import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { TopologyPorts } from '#domain/ports/topology/topology-ports.ts';
import type { SideRecord } from '#domain/side-record.ts';
import { type Neo4jTopology, openNeo4j } from '#infra/neo4j/open-neo4j.ts';
import { NOON } from '#test/contract/samples.ts';
import { note, sideRecordsContract } from '#test/contract/side-records.ts';
import { aCi, TENANT } from '#test/contract/topology-samples.ts';
import { setClock } from '#test/setup/set-clock.ts';
import { addresses } from './addresses.ts';
import { type OwnElasticsearch, ownElasticsearch } from './own-elasticsearch.ts';
import { tenantsOfItsOwn } from './tenants-of-its-own.ts';

jest.setTimeout(120_000);

const RUN = randomBytes(5).toString('hex');
const clock = setClock(NOON);
const down = { isDown: false };
let own: OwnElasticsearch;
let topology: Neo4jTopology;
let estates = 0;
beforeAll(async () => {
  own = await ownElasticsearch(clock);
  const keep = (sideRecords: readonly SideRecord[]) =>
    down.isDown ? Promise.reject(new Error('down')) : own.keep(sideRecords);
  topology = await openNeo4j({ url: addresses().neo4j, clock, keep });
});
beforeEach(() => {
  down.isDown = false;
});
afterEach(() => own.wipe());
afterAll(async () => {
  await Promise.all([own.close(), topology.close()]);
});

/** Each test has tenants of its own in the topology, since recreating its schema is slow. */
const estate = (): TopologyPorts => tenantsOfItsOwn(topology.ports, `${RUN}-${++estates}-`);

sideRecordsContract('Elasticsearch with Neo4j', async () => ({ records: own.records, ...estate() }));

const noted = async (): Promise<string[]> =>
  (await own.records.list(TENANT, 'note', { limit: 99 })).map(({ id, revision }) => `${id}@${revision}`);

describe('A process that dies between a change and what goes along with it', () => {
  test('leaves an entry in the topology, which is moved once', async () => {
    down.isDown = true;
    const ports = estate();
    await ports.cis.put(TENANT, [aCi('a')], [note('1')]);
    await ports.cis.remove(TENANT, 'a', 200, { sideRecords: () => [note('2')] });
    expect(await noted()).toEqual([]);
    await expect(topology.tidy()).rejects.toThrow('down');
    down.isDown = false;
    await Promise.all([topology.tidy(), topology.tidy()]);
    await topology.tidy();
    expect(await noted()).toEqual(['1@1', '2@1']);
  });

  test('leaves an entry in the document of a record, which is moved once, also when the record is removed', async () => {
    await own.records.put(TENANT, 'thing', 'kept', 1);
    const carrying = (id: string, along: string, more: object = {}) =>
      own.rest('PUT', `${own.prefix}-records-000001/_doc/${TENANT}%2Fthing%2F${id}?refresh=true`, {
        tenant: TENANT,
        kind: 'thing',
        id,
        revision: 2,
        body: 2,
        along: [note(along)],
        owes: true,
        ...more,
      });
    await carrying('kept', '1');
    await carrying('gone', '2', { removedAt: NOON - 9 * 3_600_000, body: null });
    await carrying('changed', '3');
    expect((await own.records.get(TENANT, 'thing', 'kept'))?.body).toBe(2);
    await own.records.put(TENANT, 'thing', 'changed', 3);
    expect(await noted()).toEqual(['3@1']);
    await Promise.all([own.tidy(), (await own.another()).tidy()]);
    await own.tidy();
    expect(await noted()).toEqual(['1@1', '2@1', '3@1']);
    expect((await own.records.get(TENANT, 'thing', 'kept'))?.revision).toBe(2);
    expect((await own.records.get(TENANT, 'thing', 'changed'))?.body).toBe(3);
  });

  test('and what is moved leaves nothing in the document', async () => {
    await own.records.put(TENANT, 'thing', 't', 1, { sideRecords: [note('1')] });
    const stored = (await own.rest('GET', `${own.prefix}-records-000001/_doc/${TENANT}%2Fthing%2Ft`)) as object;
    expect(stored).toMatchObject({ _source: { body: 1, revision: 1 } });
    expect(JSON.stringify(stored)).not.toContain('along');
  });
});
