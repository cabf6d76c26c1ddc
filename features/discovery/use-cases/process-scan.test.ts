import { describe, expect, test } from '@jest/globals';
import { ACCESS_KINDS } from '#domain/access/records.ts';
import { Fault } from '#domain/fault.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import type { CiStore } from '#domain/ports/topology/ci-store.ts';
import type { Ci } from '#domain/topology/topology.ts';
import type { HostOutcome, Scan } from '#features/discovery/rules/scan.ts';
import { oneOfSeveral, openRecordWorld, TENANT } from '#test/setup/record-world.ts';
import { runnerOf } from '#test/setup/tasks.ts';
import { discoveryTasks } from './discovery-tasks.ts';
import { type ChunkOutcome, DISCOVERY_KINDS, type ProvenanceRecord, readScan, standingClaims } from './records.ts';
import { giveIn } from './scans-for-tests.ts';

const LEASE_MS = 15_000;
const HOSTS = [
  ...Array.from({ length: 130 }, (_, i) => ({ hostname: `web-${i}`, serial_number: `SN-${i}`, os: 'Linux' })),
  { hostname: 'web-3', ip_address: '10.0.0.3' },
  { colour: 'none' },
];

const worker = (ports: Ports) => runnerOf(discoveryTasks, ports);

const outcomes = async ({ records }: Ports): Promise<HostOutcome[]> =>
  (await records.list<ChunkOutcome>(TENANT, DISCOVERY_KINDS.outcome, { limit: 100 })).flatMap(({ body }) => body.hosts);

/** Everything that a scan leaves, without ids. */
const left = async (ports: Ports, id: string) => {
  const { counts, hostsDone, status } = (await readScan(ports.records, TENANT, id)) as Scan;
  const cis = await ports.topology.findCis(TENANT, {}, { sort: 'name', order: 'asc', limit: 500 });
  const queue = await ports.records.list(SYSTEM_TENANT, 'scan-queue', { limit: 10 });
  const hosts = (await outcomes(ports)).map(({ ci, ...host }) => ({ ...host, found: ci !== null }));
  const claimsOf = async (ci: Ci) => {
    const record = await ports.records.get<ProvenanceRecord>(TENANT, DISCOVERY_KINDS.provenance, ci.id);
    return standingClaims(record?.body ?? null, ci);
  };
  const shown = await Promise.all(
    cis.items.map(async (ci) => ({ name: ci.name, attributes: ci.attributes, claims: await claimsOf(ci) })),
  );
  return { counts, hostsDone, status, hosts, cis: shown, queue: queue.length };
};

/** A process that is killed at its n-th write; later ones change nothing either. */
const mortal = (ports: Ports, n: number): Ports => {
  let writes = 0;
  const alive = async <T>(work: () => Promise<T>): Promise<T> => {
    writes += 1;
    if (writes >= n) throw new Fault('unavailable', 'killed');
    return work();
  };
  const { records, cis } = ports;
  return {
    ...ports,
    records: {
      ...records,
      put: (...given) => alive(() => records.put(...given)),
      remove: (...given) => alive(() => records.remove(...given)),
    },
    cis: { ...cis, put: (...given) => alive(() => cis.put(...given)) },
  };
};

describe('A scan that is worked on', () => {
  test('is done once, chunk by chunk', async () => {
    using world = openRecordWorld();
    const { ports } = world;
    const id = await giveIn(ports, HOSTS);
    await worker(ports).tick();
    const done = await left(ports, id);
    expect(done).toMatchObject({ status: 'completed', hostsDone: 132, queue: 0 });
    expect(done.counts).toEqual({ created: 130, updated: 1, unchanged: 0, ambiguous: 0, failed: 1 });
    await worker(ports).tick();
    expect(await left(ports, id)).toEqual(done);
  });

  test('wherever a process is killed, another one leaves the same', async () => {
    const hosts = HOSTS.slice(-8);
    using whole = openRecordWorld();
    const expected = await giveIn(whole.ports, hosts);
    await worker(whole.ports).tick();
    const all = await left(whole.ports, expected);
    let deaths = 0;
    for (let n = 1; deaths === n - 1; n++) {
      using world = openRecordWorld();
      const { ports, clock } = world;
      const id = await giveIn(ports, hosts);
      await worker(oneOfSeveral(mortal(ports, n)))
        .tick()
        .catch(() => {
          deaths += 1;
        });
      const second = worker(oneOfSeveral(ports));
      await second.tick();
      clock.advance(LEASE_MS);
      await second.tick();
      expect({ n, ...(await left(ports, id)) }).toEqual({ n, ...all });
    }
    expect(deaths).toBeGreaterThan(10);
  });

  test('of a tenant that is being deleted is left alone, and let go of between two chunks', async () => {
    using world = openRecordWorld();
    const { ports } = world;
    const id = await giveIn(ports, HOSTS);
    const leave = () =>
      ports.records.put(SYSTEM_TENANT, ACCESS_KINDS.tenant, TENANT, { id: TENANT, disabled: true, state: 'deleting' });
    const put: CiStore['put'] = async (...given) => {
      await ports.cis.put(...given);
      await leave();
    };
    await worker({ ...ports, cis: { ...ports.cis, put } }).tick();
    expect(await left(ports, id)).toMatchObject({ status: 'running', hostsDone: 100, queue: 1 });
    await worker(ports).tick();
    expect((await readScan(ports.records, TENANT, id))?.hostsDone).toBe(100);
  });

  test('belongs to one process until its lease is over', async () => {
    using world = openRecordWorld();
    const { ports, clock } = world;
    const id = await giveIn(ports, [{ hostname: 'a' }]);
    const dead = { owner: 'dead', ms: LEASE_MS };
    await ports.records.put(SYSTEM_TENANT, 'scan-lease', TENANT, dead);
    const one = worker(oneOfSeveral(ports));
    await one.tick();
    expect((await readScan(ports.records, TENANT, id))?.status).toBe('running');
    clock.advance(LEASE_MS);
    await one.tick();
    expect((await readScan(ports.records, TENANT, id))?.status).toBe('completed');
  });

  test('is put down when the process stops, and taken up where it was', async () => {
    using world = openRecordWorld();
    const { ports } = world;
    const id = await giveIn(ports, HOSTS);
    const put: CiStore['put'] = async (...given) => {
      await ports.cis.put(...given);
      void one.stop();
    };
    const one = worker({ ...ports, cis: { ...ports.cis, put } });
    await one.tick();
    expect(await readScan(ports.records, TENANT, id)).toMatchObject({ status: 'running', hostsDone: 100 });
    await worker(ports).tick();
    expect(await readScan(ports.records, TENANT, id)).toMatchObject({ status: 'completed', hostsDone: 132 });
  });

  test('waits for a store that is down, and fails when it never gets through', async () => {
    using world = openRecordWorld();
    const { ports, clock } = world;
    const id = await giveIn(ports, [{ hostname: 'a' }]);
    const failing = (error: unknown): Ports => ({
      ...ports,
      matcher: { ...ports.matcher, match: () => Promise.reject(error) },
    });
    const stuck = async (one: ReturnType<typeof worker>) => {
      await expect(one.tick()).rejects.toThrow('retrying');
      clock.advance(30_000);
    };
    const down = worker(failing(new Fault('unavailable', 'down')));
    for (let turn = 0; turn < 10; turn++) await stuck(down);
    expect((await readScan(ports.records, TENANT, id))?.status).toBe('running');
    const errors: unknown[] = [];
    const broken = runnerOf(discoveryTasks, failing(new Error('secret')), { failed: (error) => errors.push(error) });
    for (let turn = 0; turn < 4; turn++) await stuck(broken);
    expect((await readScan(ports.records, TENANT, id))?.status).toBe('running');
    await broken.tick();
    const scan = await readScan(ports.records, TENANT, id);
    expect(scan).toMatchObject({ status: 'failed', error: expect.not.stringContaining('secret') });
    expect([errors, (await left(ports, id)).queue]).toEqual([[new Error('secret')], 0]);
  });

  test('a host whose CI somebody else changes at the same time is read again', async () => {
    using world = openRecordWorld();
    const { ports } = world;
    await processOne(ports, [
      { hostname: 'a', os: 'one' },
      { hostname: 'b', os: 'one' },
    ]);
    let meddled = false;
    const cis: CiStore = {
      ...ports.cis,
      async put(tenant, put) {
        const [ci] = await ports.topology.getCis(tenant, [put[0]!.id]);
        if (!meddled && ci !== undefined) {
          meddled = true;
          const edited = { ...ci, attributes: { ...ci.attributes, owner: 'ann' }, updatedBy: 'ann' };
          await ports.cis.put(tenant, [{ ...edited, revision: ci.revision + 1 }]);
        }
        await ports.cis.put(tenant, put);
      },
    };
    world.clock.advance(1_000);
    await processOne({ ...ports, cis }, [
      { hostname: 'a', os: 'two' },
      { hostname: 'b', os: 'two' },
    ]);
    const { items } = await ports.topology.findCis(TENANT, {}, { sort: 'name', order: 'asc', limit: 10 });
    expect(items.map(({ attributes }) => attributes)).toEqual([
      { hostname: 'a', os: 'two', owner: 'ann' },
      { hostname: 'b', os: 'two' },
    ]);
  });
});

async function processOne(ports: Ports, hosts: readonly unknown[]): Promise<void> {
  await giveIn(ports, hosts);
  await worker(ports).tick();
}
