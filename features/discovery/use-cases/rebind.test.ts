import { afterEach, describe, expect, test } from '@jest/globals';
import type { EventAction } from '#application/events/event-action.ts';
import { receive } from '#application/events/receive.ts';
import { ACCESS_KINDS } from '#domain/access/records.ts';
import type { EventDraft } from '#domain/event/draft.ts';
import { Fault } from '#domain/fault.ts';
import { SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import type { CiMatcher } from '#domain/ports/topology/ci-matcher.ts';
import { aCi } from '#test/contract/topology-samples.ts';
import { NOW, TENANT } from '#test/setup/event-world.ts';
import { openBindingWorld } from './binding-world-for-tests.ts';
import { noteTenants, rebindDue, sweepSome } from './rebind.ts';
import { Rebinder } from './rebinder.ts';
import { watchedTopology } from './watched-topology.ts';

/* Events without a CI in the real pipeline; CIs come in behind the back of the rebinder unless a test says otherwise. */

const ARN = 'arn:aws:ec2:eu-west-1:1:instance/i-1';
const working = () => false;
const metrics = { count() {}, gauge() {}, observe() {} };

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

async function openWorld() {
  const world = await openBindingWorld();
  opened.push(world);
  return world;
}

describe('A sweep', () => {
  test('finds the CI of an event that another process has put, a few pages per round', async () => {
    const { ports, rebinder, told, methods, asked } = await openWorld();
    const [oldest] = await told({ hostname: 'sw-1' });
    await told(...Array.from({ length: 700 }, (_, n) => ({ hostname: `h-${n}` })));
    await ports.cis.put(TENANT, [aCi('sw-1')]);
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
    await ports.cis.put(
      TENANT,
      hosts.map((host) => aCi(host)),
    );
    await noteTenants(ports, rebinder);
    const sizes: number[] = [];
    const append: typeof ports.eventLog.append = (tenant, records) => {
      sizes.push(records.length);
      return ports.eventLog.append(tenant, records);
    };
    await sweepSome({ ...ports, eventLog: { ...ports.eventLog, append } }, rebinder, working);
    expect(sizes).toEqual([25, 25, 10]);
    expect(new Set(await methods(ids))).toEqual(new Set(['name']));
  });

  test('finds the CIs of events that came in while the topology store was down, as soon as it is back', async () => {
    const { ports, rebinder, methods } = await openWorld();
    await ports.cis.put(TENANT, [aCi('sw-1')]);
    const store = { isDown: true };
    const matcher: CiMatcher = {
      match: ports.matcher.match,
      bindInTime: async (_, queries) => queries.map(() => null),
      bind: (...asked) =>
        store.isDown ? Promise.reject(new Fault('unavailable', 'down')) : ports.matcher.bind(...asked),
    };
    const unbound = (tenant: string): void => rebinder.noteAll(tenant);
    const world = { ...ports, matcher, metrics, background: { ring: () => undefined, unbound } };
    const draft: EventDraft = { source: 'test', sourceId: 's', severity: 'major', title: 'Down', hostname: 'sw-1' };
    const actions: EventAction[] = [{ action: 'open', draft, conditionId: null, plain: true }];
    const receipts = await receive(world, actions, { tenant: TENANT, receivedAt: NOW, idempotencyKey: null });
    const ids = receipts.flatMap((receipt) => (receipt?.ok && receipt.id !== null ? [receipt.id] : []));
    expect(await methods(ids)).toEqual([null]);
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
    await ports.cis.put(TENANT, [aCi('sw-1')]);
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
    await watchedTopology(ports, rebinder, ports).cis.put(TENANT, [aCi('sw-1')]);
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
    await watchedTopology(ports, rebinder, ports).cis.put(TENANT, [aCi(...given)]);
    await rebindDue(ports, rebinder, working);
    expect(await methods(ids)).toEqual([expect.any(String)]);
  });

  test('is found by whatever else the event says when all are gone through', async () => {
    const { ports, rebinder, told, methods } = await openWorld();
    const ids = await told({ hostname: 'i-1', ipAddress: '10.0.0.1', ciHints: [ARN] });
    await watchedTopology(ports, rebinder, ports).cis.put(TENANT, [aCi('c', { externalKey: ARN })]);
    await rebindDue(ports, rebinder, working);
    expect(await methods(ids)).toEqual([null]);
    await noteTenants(ports, rebinder);
    await sweepSome(ports, rebinder, working);
    expect(await methods(ids)).toEqual(['external_key']);
  });
});
