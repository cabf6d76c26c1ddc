import { afterEach, describe, expect, test } from '@jest/globals';
import { ACCESS_KINDS, type TenantRecord } from '#domain/access/records.ts';
import { leaving } from '#domain/access/tenant-state.ts';
import type { Incoming } from '#domain/event/incoming.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import { type Embedded, openEmbedded } from '#infra/embedded/open-embedded.ts';
import { pipeline } from '#processors/pipeline.ts';
import { occurred } from '#test/setup/occurred.ts';
import { randomIds } from '#test/setup/random-ids.ts';
import { setClock } from '#test/setup/set-clock.ts';
import { ownedRecords } from '#whole';
import { emptyTenants, FREE_AFTER_MS, LET_GO_MS } from './empty-tenants.ts';

const NOW = Date.parse('2026-11-20T10:00:00Z');
const DAY = 86_400_000;
const ACTIVE: TenantRecord = { id: 'acme', name: 'Acme', disabled: false, createdAt: NOW - DAY, updatedAt: NOW - DAY };

const opened: Embedded[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

/** A tenant that is being deleted, with one event; the actions are logged. */
const open = async () => {
  const clock = setClock(NOW);
  const metrics = { count() {}, gauge() {}, observe() {} };
  const embedded = await openEmbedded({
    data: ':memory:',
    pipeline,
    clock,
    ids: randomIds,
    metrics,
    log: { info() {}, warn() {}, error() {} },
  });
  opened.push(embedded);
  const done: string[] = [];
  const faults: { at: number | null; stopAt: number | null } = { at: null, stopAt: null };
  const step = (what: string): void => {
    done.push(what);
    if (done.length === faults.at) throw new Error(`${what} failed`);
  };
  const ports = {
    ...embedded,
    clock,
    ids: randomIds,
    ownedRecords,
    eventLog: {
      ...embedded.log,
      request(...asked: Parameters<Ports['eventLog']['request']>) {
        step(asked[1].map(({ ask }: Incoming) => ask.kind).join());
        return embedded.log.request(...asked);
      },
    },
    tenants: {
      purge(...asked: Parameters<Ports['tenants']['purge']>) {
        step('purge');
        return embedded.tenants.purge(...asked);
      },
    },
  } as unknown as Ports;
  const round = () =>
    emptyTenants({ ports, takenMs: DAY, isStopping: () => faults.stopAt !== null && done.length >= faults.stopAt });
  const record = () => ports.records.get<TenantRecord>(SYSTEM_TENANT, ACCESS_KINDS.tenant, 'acme');
  const put = (tenant: TenantRecord) => ports.records.put(SYSTEM_TENANT, ACCESS_KINDS.tenant, tenant.id, tenant);
  await put(leaving(ACTIVE, NOW));
  await embedded.log.request('acme', [occurred({ receivedAt: NOW, timestamp: NOW })], { timeoutMs: 5_000 });
  const page = { sort: 'timestamp', order: 'asc', limit: 9 } as const;
  const events = async () => (await embedded.events.find('acme', {}, page)).total;
  return { clock, ports, done, faults, round, record, put, events };
};
const STEPS = ['forgotten', 'forgotten', 'forgotten', 'purge', 'forgotten'];

describe('A tenant that is being deleted', () => {
  test('is left alone until nobody can be at work with it', async () => {
    const { clock, round, done } = await open();
    clock.advance(LET_GO_MS - 1);
    await round();
    expect(done).toEqual([]);
    clock.advance(1);
    await round();
    expect(done).toEqual(STEPS);
  });

  test('an active one is left alone for ever', async () => {
    const { clock, round, done, put } = await open();
    await put(ACTIVE);
    clock.advance(400 * DAY);
    await round();
    expect(done).toEqual([]);
  });

  test.each(STEPS.map((name, i) => [i + 1, name] as const))(
    'goes with the next round when step %i, %s, fails',
    async (at) => {
      const { clock, round, done, faults, record, events } = await open();
      clock.advance(LET_GO_MS);
      faults.at = at;
      await expect(round()).rejects.toThrow("Couldn't delete 1 tenants yet");
      expect((await record())?.body.state).toBe('deleting');
      faults.at = null;
      done.length = 0;
      await round();
      expect([done, (await record())?.body.state, await events()]).toEqual([STEPS, 'deleted', 0]);
    },
  );

  test.each([0, 1, 4])('a process that stops after %i steps leaves the rest to another', async (stopAt) => {
    const { clock, round, done, faults, record } = await open();
    clock.advance(LET_GO_MS);
    faults.stopAt = stopAt;
    await round();
    expect([done.length, (await record())?.body.state]).toEqual([stopAt, 'deleting']);
    faults.stopAt = null;
    await round();
    expect((await record())?.body.state).toBe('deleted');
  });

  test('whose owners do not answer in time is not purged', async () => {
    const { clock, ports, done } = await open();
    clock.advance(LET_GO_MS);
    const silent = { ...ports, eventLog: { ...ports.eventLog, request: async () => ({ done: false }) as const } };
    const round = emptyTenants({ ports: silent, takenMs: DAY, isStopping: () => false });
    await expect(round).rejects.toMatchObject({ cause: { message: "The pipeline didn't drop tenant acme in time" } });
    expect(done).toEqual([]);
  });

  test('two processes at once do it once more, and no harm', async () => {
    const { clock, round, record, events } = await open();
    clock.advance(LET_GO_MS);
    await Promise.all([round(), round()]);
    expect((await record())?.body).toMatchObject({ state: 'deleted', name: 'acme', takenUntil: NOW + LET_GO_MS + DAY });
    expect(await events()).toBe(0);
  });

  test('one that cannot be emptied holds up no other', async () => {
    const { clock, round, faults, put, ports } = await open();
    await put(leaving({ ...ACTIVE, id: 'beta' }, NOW));
    clock.advance(LET_GO_MS);
    faults.at = 1;
    await expect(round()).rejects.toThrow();
    const beta = await ports.records.get<TenantRecord>(SYSTEM_TENANT, ACCESS_KINDS.tenant, 'beta');
    expect(beta?.body.state).toBe('deleted');
  });
});

describe('A tombstone', () => {
  const emptied = async () => {
    const world = await open();
    world.clock.advance(LET_GO_MS);
    await world.round();
    world.done.length = 0;
    return world;
  };

  test('is left alone until its time, then looked at once more, and goes by itself', async () => {
    const { clock, round, done, record } = await emptied();
    clock.advance(DAY - FREE_AFTER_MS - 1);
    await round();
    expect(done).toEqual([]);
    clock.advance(1);
    await round();
    await round();
    expect(done).toEqual(STEPS);
    clock.advance(FREE_AFTER_MS - 1);
    expect((await record())?.body.state).toBe('deleted');
    clock.advance(1);
    expect(await record()).toBeNull();
  });

  test('whose time passed while nothing ran keeps the name for as long as another process may still be at it', async () => {
    const { clock, round, record } = await emptied();
    clock.advance(30 * DAY);
    await round();
    clock.advance(FREE_AFTER_MS - 1);
    expect((await record())?.body.takenUntil).toBe(clock.now() + 1);
    clock.advance(1);
    expect(await record()).toBeNull();
  });

  test('what was brought back meanwhile goes with it', async () => {
    const { clock, ports, round, events } = await emptied();
    await ports.eventLog.append('acme', [occurred({ receivedAt: NOW, timestamp: NOW })]);
    expect(await events()).toBe(1);
    clock.advance(DAY);
    await round();
    expect(await events()).toBe(0);
  });

  test('the record of a name that was taken again meanwhile stays', async () => {
    const { clock, round, record, ports } = await emptied();
    clock.advance(DAY);
    const slow = round();
    await ports.records.remove(SYSTEM_TENANT, ACCESS_KINDS.tenant, 'acme');
    await ports.records.put(SYSTEM_TENANT, ACCESS_KINDS.tenant, 'acme', ACTIVE, { expected: 0 });
    await slow;
    expect((await record())?.body).toEqual(ACTIVE);
  });
});
