import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { CallerCache } from '#application/access/authenticate.ts';
import { openMemory } from '#application/open-memory.ts';
import type { Caller } from '#domain/access/caller.ts';
import { PERMISSIONS } from '#domain/access/permissions.ts';
import { Fault } from '#domain/fault.ts';
import type { RecordStore } from '#domain/ports/record-store.ts';
import { type EmbeddedLiveChanges, openLiveChanges } from '#infra/embedded/live/live-changes.ts';
import { openMetrics } from '#infra/metrics/metrics.ts';
import { randomIds } from '#test/setup/random-ids.ts';
import { setClock } from '#test/setup/set-clock.ts';
import { until } from '#test/setup/until.ts';
import type { Following } from './follow-changes.ts';
import { type Followed, followChanges, type LiveTold } from './follow-changes.ts';

const TENANT = 'acme';
const NOW = Date.parse('2026-11-20T12:00:00Z');
const caller = (id: string, parts: Partial<Caller> = {}): Caller => ({
  id,
  username: id,
  name: id,
  tenant: TENANT,
  kind: 'jwt',
  role: 'viewer',
  credentialId: id,
  permissions: new Set(PERMISSIONS),
  limits: { tenant: {}, token: {} },
  ...parts,
});

let followed: Followed[] = [];
afterEach(() => {
  for (const one of followed) one.close();
  followed = [];
  jest.useRealTimers();
});

const openWorld = () => {
  const live = openLiveChanges(randomIds);
  const { metrics, text } = openMetrics({ version: '0', mode: 'test', node: '0' });
  // Nothing here reads records.
  const memory = openMemory({} as RecordStore, new CallerCache());
  const ports = { live, memory, metrics, clock: setClock(NOW) };
  const stopping = new AbortController();
  const follow = async (who: Caller, parts: Partial<Following> = {}): Promise<Followed> => {
    const common = { tenant: TENANT, caller: who, ports, topics: ['topology', 'scans'] as const, from: null };
    const signals = { signal: new AbortController().signal, stopping: stopping.signal };
    const one = await followChanges({ ...common, ...signals, recheck: async () => who, ...parts });
    followed.push(one);
    return one;
  };
  return { live, memory, text, stopping, follow };
};

const change = (live: EmbeddedLiveChanges, ...ids: string[]): void =>
  live.tellTopology({ tenant: TENANT, of: 'ci', kind: 'updated', ids });
/** Yields everything that is sent until the end, as it arrives. */
const reading = ({ told }: Followed): LiveTold[] => {
  const all: LiveTold[] = [];
  void (async () => {
    for await (const one of told) all.push(one);
  })();
  return all;
};
const says = (all: readonly LiveTold[]): string[] => all.map((one) => (one.say === 'bye' ? one.why : one.say));

describe('A reader of live changes', () => {
  test('is told the first change at once, and then all others of half a second together', async () => {
    const { live, follow } = openWorld();
    jest.useFakeTimers();
    const all = reading(await follow(caller('ann')));
    const toldAfter = async (ms: number): Promise<number> => {
      await jest.advanceTimersByTimeAsync(ms);
      return all.length;
    };
    expect(await toldAfter(0)).toBe(1);
    change(live, 'a');
    expect(await toldAfter(0)).toBe(2);
    change(live, 'b');
    live.recordChanged(TENANT, 'scan', 's');
    change(live, 'c');
    expect([await toldAfter(499), await toldAfter(1)]).toEqual([2, 3]);
    const [, first, second] = all as [LiveTold, LiveTold & { say: 'changes' }, LiveTold & { say: 'changes' }];
    expect(first.changes.get('ci')?.ids).toEqual(['a']);
    expect([second.changes.get('ci')?.ids, second.changes.get('scan')?.ids]).toEqual([['b', 'c'], ['s']]);
  });

  test('that does not read leaves one message behind, whatever a million changes there were', async () => {
    const { live, follow } = openWorld();
    const { told } = await follow(caller('ann'));
    const iterator = told[Symbol.asyncIterator]();
    await iterator.next();
    for (let n = 0; n < 1_000_000; n++) change(live, `ci-${n}`);
    const { value } = (await iterator.next()) as { value: LiveTold & { say: 'changes' } };
    const { ids, more } = value.changes.get('ci')!;
    expect([ids.length, ids.length + more]).toEqual([200, 1_000_000]);
  });

  test('may see what its permissions allow, and nothing else', async () => {
    const { follow, memory } = openWorld();
    const who = caller('ann', { permissions: new Set(['cmdb.read']) });
    await expect(follow(who)).rejects.toMatchObject({ kind: 'forbidden', message: expect.stringContaining('scans') });
    expect(memory.liveStreams.size).toBe(0);
    const all = reading(await follow(who, { topics: ['topology'] }));
    await until(async () => all.length === 1);
  });

  test('ends when its credential expires', async () => {
    const { follow, text } = openWorld();
    const all = reading(await follow(caller('ann', { expiresAt: NOW + 100 })));
    await until(async () => all.length === 2);
    expect(says(all)).toEqual(['hello', 'expired']);
    expect(await text()).toMatch(/faultline_live_ended_total\{reason="expired"\} 1/);
  });

  test.each([
    ['is revoked', () => Promise.reject(new Fault('unauthenticated', 'revoked'))],
    ['loses a permission', async () => caller('ann', { permissions: new Set(['cmdb.read']) })],
    ['belongs to a tenant that is gone', () => Promise.reject(new Fault('tenant', 'gone'))],
    ['cannot be checked six times', () => Promise.reject(new Fault('unavailable', 'the store is down'))],
    ['is never answered', () => new Promise<Caller>(() => undefined)],
  ])('ends when its credential %s', async (_, recheck) => {
    const { follow } = openWorld();
    const all = reading(await follow(caller('ann'), { recheck, checkMs: 10 }));
    await until(async () => all.length === 2);
    expect(says(all)).toEqual(['hello', 'expired']);
  });

  test('stays while its credential is valid, also when a check fails now and then', async () => {
    const { follow, live } = openWorld();
    let checks = 0;
    const recheck = async () => {
      checks += 1;
      if (checks % 3 !== 0) throw new Fault('unavailable', 'the store is down');
      return caller('ann');
    };
    const all = reading(await follow(caller('ann'), { recheck, checkMs: 2 }));
    await until(async () => checks > 20);
    change(live, 'a');
    await until(async () => all.length === 2);
    expect(says(all)).toEqual(['hello', 'changes']);
  });

  test('hears of a stop at once, and of nothing when it has hung up', async () => {
    const { follow, stopping, memory } = openWorld();
    const hanging = new AbortController();
    const [one, other] = [
      reading(await follow(caller('ann'))),
      reading(await follow(caller('bob'), { signal: hanging.signal })),
    ];
    await until(async () => one.length + other.length === 2);
    hanging.abort();
    stopping.abort();
    await until(async () => one.length === 2);
    expect([says(one), says(other)]).toEqual([['hello', 'stopping'], ['hello']]);
    for (const { close } of followed) close();
    expect(memory.liveStreams.size).toBe(0);
  });
});

describe('Open streams', () => {
  test('are at most 20 of a user', async () => {
    const { follow } = openWorld();
    for (let n = 0; n < 20; n++) await follow(caller('ann'));
    await expect(follow(caller('ann'))).rejects.toMatchObject({ kind: 'rate-limited', retryAfter: 10 });
    await follow(caller('ann', { tenant: 'another' }));
    await follow(caller('bob'));
    followed[0]!.close();
    followed[0]!.close();
    await follow(caller('ann'));
    await expect(follow(caller('ann'))).rejects.toMatchObject({ kind: 'rate-limited' });
  });

  test('are at most 500 of a process', async () => {
    const { follow, text } = openWorld();
    for (let n = 0; n < 500; n++) await follow(caller(`user-${n}`));
    await expect(follow(caller('ann'))).rejects.toMatchObject({ kind: 'unavailable', retryAfter: 10 });
    expect(await text()).toMatch(/faultline_live_streams 500/);
    followed[7]!.close();
    await follow(caller('ann'));
  });
});
