import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { topologyContract } from '#test/contract/topology-ports.ts';
import { aCi, aRelationship } from '#test/contract/topology-samples.ts';
import { memoryTopology } from '#test/setup/embedded.ts';
import { memoryDatabase } from '#test/setup/empty-database.ts';
import { openTables } from './open-tables.ts';
import { type Database, openDatabase } from './redo-log/database.ts';
import { openTopology } from './topology-store.ts';

topologyContract('The embedded topology store', async () => memoryTopology().ports);

topologyContract('The embedded topology store that keeps no past in memory', async () => memoryTopology(0).ports, {
  estates: 20,
});

const TENANT = 'acme';
/** State after a start. */
const open = (database: Database, historyInMemory?: number) =>
  openTopology(database, openTables(database), historyInMemory);

/** Two hosts on a switch; one CI, `b-gone`, and one relationship have ended. */
async function seed({ ports }: ReturnType<typeof openTopology>): Promise<void> {
  const hosts = ['a', 'b-gone', 'c'].map((id) =>
    aCi(id, { externalKey: `K-${id}`, attributes: { ip_address: '10.0.0.1' } }),
  );
  await ports.cis.put(TENANT, [...hosts, aCi('switch')]);
  await ports.relationships.put(
    TENANT,
    hosts.map(({ id }) => aRelationship(`r-${id}`, id, 'switch')),
  );
  await ports.relationships.put(TENANT, [
    aRelationship('r-a', 'a', 'switch', { attributes: { criticality: 'high' }, updatedAt: 200, revision: 2 }),
  ]);
  await ports.relationships.remove(TENANT, 'r-b-gone', 300);
  await ports.cis.remove(TENANT, 'b-gone', 300);
}

describe('A restart', () => {
  test('redundancy is known again', async () => {
    const database = memoryDatabase();
    const { ports } = open(database);
    await ports.cis.put(TENANT, [aCi('a'), aCi('x'), aCi('y')]);
    const attributes = { redundancy_group: 'g' };
    await ports.relationships.put(
      TENANT,
      ['x', 'y'].map((to) => aRelationship(to, 'a', to, { attributes })),
    );
    const { protected: saved } = await open(database).ports.graph.impact(TENANT, ['x'], { limit: 9 });
    expect(saved).toMatchObject([{ ci: 'a', groups: [{ group: 'g', members: 2, surviving: 1 }] }]);
  });

  test('proposals are no more part of memory than before', async () => {
    const database = memoryDatabase();
    const { ports } = open(database);
    await ports.cis.put(TENANT, [aCi('a'), aCi('x'), aCi('y')]);
    const attributes = { redundancy_group: 'g' };
    const proposed = { discoveredBy: 'ai', attributes };
    await ports.relationships.put(TENANT, [
      aRelationship('r', 'a', 'x', { attributes }),
      aRelationship('p', 'a', 'y', proposed),
      aRelationship('q', 'x', 'y', proposed),
    ]);
    await ports.relationships.remove(TENANT, 'q', 300);
    const { graph } = open(database).ports;
    expect((await graph.impact(TENANT, ['x'], { limit: 9 })).impacted.map(({ ci }) => ci)).toEqual(['a']);
    expect((await graph.around(TENANT, 'y', 200))!.degree).toBe(0);
  });

  test('memory is as it was before, the past included', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'topology-'));
    const database = openDatabase(directory);
    const before = open(database);
    await seed(before);
    const after = open(database);
    const forgetful = open(database, 0);
    for (const at of [50, 250, 300, 900])
      for (const ci of ['a', 'b-gone', 'c', 'switch', 'x'])
        for (const other of [after, forgetful])
          expect(other.aroundNow(TENANT, ci, at)).toEqual(before.aroundNow(TENANT, ci, at));
    expect(after.aroundNow(TENANT, 'switch', 250)?.near.map(({ ci, criticalHops }) => [ci, criticalHops])).toEqual([
      ['a', 1],
      ['b-gone', 0],
      ['c', 0],
    ]);
    expect(after.aroundNow(TENANT, 'b-gone', 250)?.degree).toBe(1);
    expect(await after.ports.counts.cis(TENANT)).toBe(3);
    const queries = [
      { ciId: 'K-b-gone' },
      { ciId: 'k-c' },
      { hostname: '' },
      { ipAddress: '10.0.0.1' },
      { hostname: 'A.example' },
    ];
    const bound = await after.ports.matcher.bind(TENANT, queries);
    expect(bound).toEqual(await before.ports.matcher.bind(TENANT, queries));
    expect(bound[1]!.ci).toEqual({ id: 'c', name: 'c', type: 'server' });
    database.close();
    rmSync(directory, { recursive: true });
  });
});

describe('A change within another transaction', () => {
  test('is refused, because it could be rolled back behind the back of memory', async () => {
    const database = memoryDatabase();
    const { ports } = open(database);
    await ports.cis.put(TENANT, [aCi('a')]);
    let removal: Promise<unknown> | undefined;
    database.transaction(() => {
      removal = ports.cis.remove(TENANT, 'a', 1);
    });
    await expect(removal).rejects.toThrow('cannot be part of another transaction');
    expect(await ports.counts.cis(TENANT)).toBe(1);
  });

  test('waits for its end when it is a put, and is not rolled back with it', async () => {
    const database = memoryDatabase();
    const { ports } = open(database);
    let put: Promise<void> | undefined;
    const failing = () =>
      database.transaction(() => {
        put = ports.cis.put(TENANT, [aCi('a')]);
        throw new Error('rolled back');
      });
    expect(failing).toThrow('rolled back');
    await put;
    expect(await ports.topology.getCis(TENANT, ['a'])).toHaveLength(1);
  });
});
