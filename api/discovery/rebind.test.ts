import { afterEach, describe, expect, test } from '@jest/globals';
import { ACCESS_KINDS } from '#domain/access/records.ts';
import type { EventDraft } from '#domain/event/draft.ts';
import type { Incoming } from '#domain/event/incoming.ts';
import { Fault } from '#domain/fault.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import { type Embedded, openEmbedded } from '#infra/embedded/open-embedded.ts';
import { systemIds } from '#infra/system/ids.ts';
import { pipeline } from '#processors/pipeline.ts';
import { aCi } from '#test/contract/topology-samples.ts';
import { occurred } from '#test/setup/occurred.ts';
import { setClock } from '#test/setup/set-clock.ts';
import { noteTenants, rebindDue, sweepSome, watched } from './rebind.ts';
import { Rebinder } from './rebinder.ts';

/* Events without a CI in the real pipeline; CIs come in behind the back of the rebinder unless a test says otherwise. */

const TENANT = 'acme';
const NOW = Date.parse('2026-11-20T10:00:00Z');
const ARN = 'arn:aws:ec2:eu-west-1:1:instance/i-1';
const working = () => false;

const opened: Embedded[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

async function openWorld() {
  const clock = setClock(NOW);
  const metrics = { count() {}, gauge() {}, observe() {} };
  const log = { info() {}, warn() {}, error() {} };
  const embedded = await openEmbedded({
    ...{ data: ':memory:', pipeline, clock, ids: systemIds, metrics, log, retentionDays: 30 },
  });
  opened.push(embedded);
  let pages = 0;
  const counting =
    <A extends unknown[], R>(ask: (...asked: A) => R) =>
    (...asked: A): R => {
      pages += 1;
      return ask(...asked);
    };
  const events = {
    ...embedded.events,
    ...{ find: counting(embedded.events.find), unbound: counting(embedded.events.unbound) },
  };
  const ports = { ...embedded, events, clock, ids: systemIds } as unknown as Ports;
  await ports.records.put(SYSTEM_TENANT, ACCESS_KINDS.tenant, TENANT, { id: TENANT, disabled: false });
  const rebinder = new Rebinder();
  const told = async (...drafts: readonly Partial<EventDraft>[]): Promise<string[]> => {
    const records = drafts.map((draft, n): Incoming => occurred({ sourceId: `${n}`, receivedAt: NOW, ...draft }));
    const reply = await ports.log.request(TENANT, records, { timeoutMs: 5_000 });
    return reply.done ? reply.receipts.map((one) => (one.ok ? (one.id as string) : '')) : [];
  };
  /** What found the CI of each event. */
  const methods = async (ids: readonly string[]) => {
    await embedded.runner.idle();
    const events = new Map((await ports.events.getMany(TENANT, ids)).map((event) => [event.id, event]));
    return ids.map((id) => events.get(id)?.ci?.method ?? null);
  };
  /** Pages of events that `work` asks for. */
  const asked = async (work: () => Promise<void>): Promise<number> => {
    const before = pages;
    await work();
    return pages - before;
  };
  return { ports, rebinder, told, methods, asked };
}

describe('A sweep', () => {
  test('finds the CI of an event that another process has put, a few pages per round', async () => {
    const { ports, rebinder, told, methods, asked } = await openWorld();
    const [oldest] = await told({ hostname: 'sw-1' });
    await told(...Array.from({ length: 700 }, (_, n) => ({ hostname: `h-${n}` })));
    await ports.topology.putCis(TENANT, [aCi('sw-1')]);
    await noteTenants(ports, rebinder);
    const round = () => asked(() => sweepSome(ports, rebinder, working));
    expect([await round(), await methods([oldest!])]).toEqual([3, [null]]);
    expect([await round(), await methods([oldest!])]).toEqual([1, ['name']]);
    expect(await round()).toBe(0);
  });

  test('tells of few events at a time, so that whoever sends some meanwhile does not wait for hundreds', async () => {
    const { ports, rebinder, told, methods } = await openWorld();
    const hosts = Array.from({ length: 60 }, (_, n) => `h-${n}`);
    const ids = await told(...hosts.map((hostname) => ({ hostname })));
    await ports.topology.putCis(
      TENANT,
      hosts.map((host) => aCi(host)),
    );
    await noteTenants(ports, rebinder);
    const sizes: number[] = [];
    const append: typeof ports.log.append = (tenant, records) => {
      sizes.push(records.length);
      return ports.log.append(tenant, records);
    };
    await sweepSome({ ...ports, log: { ...ports.log, append } }, rebinder, working);
    expect(sizes).toEqual([25, 25, 10]);
    expect(new Set(await methods(ids))).toEqual(new Set(['name']));
  });

  test('finds the CIs of events that came in while the topology store was down, as soon as it is back', async () => {
    const { ports, rebinder, told, methods } = await openWorld();
    await ports.topology.putCis(TENANT, [aCi('sw-1')]);
    const store = { isDown: true };
    const topology = {
      ...ports.topology,
      bindInTime: async (_: string, queries: readonly unknown[]) => queries.map(() => null),
      bind: (...asked: Parameters<typeof ports.topology.bind>) =>
        store.isDown ? Promise.reject(new Fault('unavailable', 'down')) : ports.topology.bind(...asked),
    };
    const world = { ...ports, topology: watched(topology, rebinder) };
    await world.topology.bindInTime(TENANT, [{ hostname: 'sw-1' }]);
    const ids = await told({ hostname: 'sw-1' });
    await expect(sweepSome(world, rebinder, working)).rejects.toMatchObject({ kind: 'unavailable' });
    store.isDown = false;
    await sweepSome(world, rebinder, working);
    expect(await methods(ids)).toEqual(['name']);
  });

  test('leaves alone tenants that are disabled or have no CIs, and stops when the process does', async () => {
    const { ports, rebinder, told, asked } = await openWorld();
    await told({ hostname: 'sw-1' });
    await noteTenants(ports, rebinder);
    expect(await asked(() => sweepSome(ports, rebinder, working))).toBe(0);
    await ports.topology.putCis(TENANT, [aCi('sw-1')]);
    await noteTenants(ports, rebinder);
    expect(await asked(() => sweepSome(ports, rebinder, () => true))).toBe(0);
    await ports.records.put(SYSTEM_TENANT, ACCESS_KINDS.tenant, TENANT, { id: TENANT, disabled: true });
    const other = new Rebinder();
    await noteTenants(ports, other);
    expect(other.takeSweep()).toBeNull();
  });

  test('asks for nothing of a tenant that is being deleted, and does not come back to it', async () => {
    const { ports, rebinder, told, asked } = await openWorld();
    await told({ hostname: 'sw-1' });
    await watched(ports.topology, rebinder).putCis(TENANT, [aCi('sw-1')]);
    await noteTenants(ports, rebinder);
    const leaving = { id: TENANT, disabled: true, state: 'deleting' };
    await ports.records.put(SYSTEM_TENANT, ACCESS_KINDS.tenant, TENANT, leaving);
    expect(await asked(() => sweepSome(ports, rebinder, working))).toBe(0);
    expect(await asked(() => rebindDue(ports, rebinder, working))).toBe(0);
    rebinder.remind(NOW);
    expect([rebinder.take(), rebinder.takeSweep()]).toEqual([null, null]);
  });
});

describe('A CI that comes', () => {
  const cases: [string, Partial<EventDraft>, Parameters<typeof aCi>][] = [
    ['the key that was named beside a host', { hostname: 'x', ciId: 'K-1' }, ['c', { externalKey: 'k-1' }]],
    ['an ARN beside a host', { hostname: 'i-1', ciHints: [ARN] }, ['c', { externalKey: ARN }]],
    ['an ARN beside an address', { hostname: '', ipAddress: '10.0.0.1', ciHints: [ARN] }, ['c', { externalKey: ARN }]],
    ['the second of two hints', { hostname: '', ciHints: ['i-1', ARN] }, ['c', { externalKey: ARN }]],
    ['a hint that is a name', { hostname: '', ciHints: ['Database One'] }, ['c', { name: 'database one' }]],
    [
      'a hint that is a FQDN',
      { hostname: 'x', ciHints: ['db.example.org'] },
      ['c', { attributes: { fqdn: 'DB.example.org' } }],
    ],
  ];
  test.each(cases)('is found at once by %s', async (_, draft, given) => {
    const { ports, rebinder, told, methods } = await openWorld();
    const ids = await told(draft);
    await watched(ports.topology, rebinder).putCis(TENANT, [aCi(...given)]);
    await rebindDue(ports, rebinder, working);
    expect(await methods(ids)).toEqual([expect.any(String)]);
  });

  test('is found by whatever else the event says when all are gone through', async () => {
    const { ports, rebinder, told, methods } = await openWorld();
    const ids = await told({ hostname: 'i-1', ipAddress: '10.0.0.1', ciHints: [ARN] });
    await watched(ports.topology, rebinder).putCis(TENANT, [aCi('c', { externalKey: ARN })]);
    await rebindDue(ports, rebinder, working);
    expect(await methods(ids)).toEqual([null]);
    await noteTenants(ports, rebinder);
    await sweepSome(ports, rebinder, working);
    expect(await methods(ids)).toEqual(['external_key']);
  });
});
