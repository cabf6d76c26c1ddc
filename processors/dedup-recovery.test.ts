import { describe, expect, test } from '@jest/globals';
import type { Ask } from '#domain/event/incoming.ts';
import { ann, driveDedup, HOUR, MINUTE, occurrence, T0, ulid } from '#test/setup/asks.ts';
import { MAX_FED } from './dedup-rows.ts';

const ignored = { ok: true, outcome: 'ignored', id: null, count: 0, correlationId: null };

describe('a recovery ends its condition', () => {
  test('the event resolves when the set is empty', () => {
    const { occur, recover, event } = driveDedup();
    occur({ conditionId: 'eth0' });
    occur({ source: 'nagios', conditionId: 'eth1' });
    const first = recover('eth0', T0 + MINUTE);
    expect(first.receipt).toMatchObject({ outcome: 'changed', id: ulid(1), count: 2 });
    expect(first.saved).toMatchObject([{ happened: 'changed', event: { status: 'open' } }]);
    expect(event(1)).toMatchObject({ status: 'open', conditions: [{ id: 'eth1', position: 2 }] });
    const last = recover('eth1', T0 + 2 * MINUTE);
    expect(last.receipt).toMatchObject({ outcome: 'resolved', id: ulid(1) });
    expect(last.saved).toMatchObject([{ happened: 'changed', previousStatus: 'open' }]);
    expect(event(1)).toMatchObject({
      status: 'resolved',
      resolvedAt: T0 + 2 * MINUTE,
      resolutionCategory: 'auto-resolved',
      conditions: [],
    });
    expect(event(1).history.at(-1)).toEqual({
      at: T0 + 2 * MINUTE,
      by: null,
      from: 'open',
      to: 'resolved',
      position: 4,
    });
  });

  test.each<[string, number, string]>([
    ['from before its newest start is ignored, and history says why', T0 + 2 * MINUTE - 1, 'open'],
    ['of the same time ends it', T0 + 2 * MINUTE, 'resolved'],
    ['from after it ends it', T0 + 3 * MINUTE, 'resolved'],
  ])('one %s', (_what, at, status) => {
    for (const conditionId of ['c', null]) {
      const { occur, recover, event } = driveDedup();
      occur({ conditionId, plain: true });
      occur({ conditionId, plain: true, timestamp: T0 + 2 * MINUTE });
      const { receipt } = recover(conditionId, at);
      expect(receipt).toMatchObject({ outcome: status === 'open' ? 'ignored' : 'resolved', id: ulid(1) });
      expect(event(1).status).toBe(status);
      const notes = `Recovery at ${new Date(at).toISOString()} is older than the latest occurrence; ignored`;
      expect(event(1).history.at(-1)?.notes).toBe(status === 'open' ? notes : undefined);
    }
  });

  test('what says when it began has not begun anew because it is said again', () => {
    const { occur, recover, event } = driveDedup();
    const ongoing = { conditionId: 'c', ongoing: true } as const;
    occur(ongoing);
    occur(ongoing, { receivedAt: T0 + 5 * MINUTE });
    recover('c', T0 + MINUTE, { receivedAt: T0 + 6 * MINUTE });
    expect(event(1)).toMatchObject({ status: 'resolved', resolvedAt: T0 + MINUTE });
  });

  test('a time far in the future becomes the time of receipt', () => {
    const { occur, recover, event } = driveDedup();
    occur({ conditionId: 'c' });
    recover('c', T0 + HOUR, { receivedAt: T0 + MINUTE });
    expect(event(1).resolvedAt).toBe(T0 + MINUTE);
  });

  test('with nothing open it is ignored, and saves no event', () => {
    const { recover } = driveDedup();
    const { receipt, saved, asked } = recover('c');
    expect(receipt).toEqual(ignored);
    expect(saved).toEqual([]);
    expect(asked.events.size).toBe(0);
    expect(asked.recoveries).toEqual([{ tenant: 'acme', conditionId: 'c', at: T0, receivedAt: T0, position: 1 }]);
  });

  test('a resolved event is never reopened by an occurrence', () => {
    const { occur, recover, event } = driveDedup();
    occur({ conditionId: 'c' });
    recover('c');
    const later = { conditionId: 'c', timestamp: T0 + 1 };
    expect(occur(later).receipt).toMatchObject({ outcome: 'created', id: ulid(3) });
    expect(event(1).status).toBe('resolved');
  });
});

describe('an occurrence that arrives after a later recovery of its condition', () => {
  test.each<[string, { at: number; heard: number; conditionId: string | null }, string]>([
    ['strictly before: resolved', { at: T0 - 1, heard: T0, conditionId: 'c' }, 'resolved'],
    ['at the same time: resolved', { at: T0, heard: T0, conditionId: 'c' }, 'resolved'],
    ['after it: open', { at: T0 + 1, heard: T0, conditionId: 'c' }, 'open'],
    ['60 min after its receipt: resolved', { at: T0 - 1, heard: T0 + HOUR, conditionId: 'c' }, 'resolved'],
    ['later: open', { at: T0 - 1, heard: T0 + HOUR + 1, conditionId: 'c' }, 'open'],
    ['another condition: open', { at: T0 - 1, heard: T0, conditionId: 'd' }, 'open'],
    ['no condition: open', { at: T0 - 1, heard: T0, conditionId: null }, 'open'],
  ])('%s', (_what, { at, heard, conditionId }, status) => {
    const { recover, occur, event } = driveDedup();
    recover('c', T0);
    const { receipt, saved } = occur({ conditionId, timestamp: at }, { receivedAt: heard });
    expect(receipt).toMatchObject({ outcome: 'created', id: ulid(2) });
    expect(saved).toMatchObject([{ happened: 'created', event: { status } }]);
    expect(event(2).resolvedAt).toBe(status === 'resolved' ? T0 : undefined);
    expect(event(2).conditions).toHaveLength(status === 'open' && conditionId ? 1 : 0);
  });

  test.each<[string, number, string, number]>([
    ['after what it ended, by its own clock: a new event', T0 + 1, 'created', 3],
    ['before what it ended: counted there', T0 - 1, 'duplicate_updated', 1],
    ['at the same time: counted there', T0, 'duplicate_updated', 1],
  ])('of a recovery without a time: an occurrence %s', (_what, timestamp, outcome, n) => {
    const { recover, occur } = driveDedup();
    occur({ conditionId: 'c' });
    recover('c', T0 + HOUR, { receivedAt: T0 + HOUR, untimed: true });
    const { receipt } = occur({ conditionId: 'c', timestamp }, { receivedAt: T0 + HOUR + 1 });
    expect(receipt).toMatchObject({ outcome, id: ulid(n) });
  });

  test('a recovery without a time, with nothing open, says nothing of what comes later', () => {
    const { recover, occur, event } = driveDedup();
    const { asked } = recover('c', T0, { untimed: true });
    expect(asked.recoveries).toEqual([]);
    occur({ conditionId: 'c', timestamp: T0 - MINUTE });
    expect(event(2).status).toBe('open');
  });

  test.each([
    ['on its way when the end came is over', 120_000, 'duplicate_updated', 1],
    ['said again after the end is there again', 120_001, 'created', 3],
  ])('what began before the end of its condition and was %s', (_what, after, outcome, n) => {
    const { recover, occur } = driveDedup();
    const ongoing = { conditionId: 'c', ongoing: true } as const;
    occur(ongoing);
    recover('c', T0 + HOUR, { receivedAt: T0 + HOUR });
    const { receipt } = occur(ongoing, { receivedAt: T0 + HOUR + after });
    expect(receipt).toMatchObject({ outcome, id: ulid(n) });
  });

  test('an older recovery does not shorten the reach of a later one', () => {
    const { recover, occur, event } = driveDedup();
    recover('c', T0);
    recover('c', T0 - HOUR);
    occur({ conditionId: 'c', timestamp: T0 - MINUTE });
    expect(event(3).status).toBe('resolved');
  });

  test('it does not join an open event of its identity, whose other condition would then never be alone', () => {
    const { recover, occur, event } = driveDedup();
    occur({ conditionId: 'other' });
    recover('c', T0 + MINUTE);
    occur({ conditionId: 'c' });
    expect(event(1)).toMatchObject({ count: 1, conditions: [{ id: 'other' }] });
    expect(event(3).status).toBe('resolved');
  });
});

describe('a recovery through plain ingest', () => {
  test.each<[string, string, string, boolean]>([
    ['the first sourceId', 'zabbix', 'z-0', true],
    ['one of the newest 19', 'zabbix', 'z-12', true],
    ['the newest', 'zabbix', 'z-30', true],
    ['one in between', 'zabbix', 'z-11', false],
    ['a sourceId of another source', 'nagios', 'z-0', false],
    ['another source that feeds the event', 'nagios', 'n-1', true],
    ['a name that only looks like it', 'zabbix', 'nagios', false],
  ])('%s', (_what, source, sourceId, resolves) => {
    const { occur, recover, event } = driveDedup();
    for (let i = 0; i < 30; i++) occur({ sourceId: `z-${i}` });
    occur({ source: 'nagios', sourceId: 'n-1' });
    if (sourceId !== 'n-1') occur({ sourceId: 'z-30' });
    if (sourceId === 'z-12') occur({ sourceId: 'z-12' });
    expect(recover(null, T0, { source, sourceId }).receipt).toMatchObject({
      outcome: resolves ? 'resolved' : 'ignored',
    });
    expect(event(1).status).toBe(resolves ? 'resolved' : 'open');
  });

  test('an event with an open condition stays open', () => {
    const { occur, recover, event } = driveDedup();
    occur();
    occur({ conditionId: 'c' });
    expect(recover(null).receipt).toEqual(ignored);
    expect(event(1).status).toBe('open');
  });

  describe('of a sourceId that feeds several events', () => {
    const feeding = () => {
      const driven = driveDedup();
      driven.occur({ severity: 'warning', identity: 'a' });
      driven.occur({ severity: 'critical', identity: 'b' });
      return driven;
    };
    const statuses = ({ event }: ReturnType<typeof driveDedup>) => [event(1).status, event(2).status];

    test('resolves all of them, and names the newest', () => {
      const driven = feeding();
      driven.occur({ severity: 'warning', identity: 'a' });
      const { receipt, saved } = driven.recover(null);
      expect(receipt).toMatchObject({ outcome: 'resolved', id: ulid(2) });
      expect(saved).toMatchObject([1, 2].map((n) => ({ happened: 'changed', event: { id: ulid(n) } })));
      expect(statuses(driven)).toEqual(['resolved', 'resolved']);
      expect(driven.recover(null).receipt).toEqual(ignored);
    });

    test.each([1, 2])('resolves the other when event %i was resolved by hand', (n) => {
      const driven = feeding();
      driven.one({ kind: 'status-set', eventId: ulid(n), status: 'resolved', by: ann });
      expect(driven.recover(null).receipt).toMatchObject({ outcome: 'resolved', id: ulid(3 - n) });
      expect(statuses(driven)).toEqual(['resolved', 'resolved']);
    });

    test('leaves alone what has an open condition', () => {
      const driven = feeding();
      driven.occur({ severity: 'critical', identity: 'b', conditionId: 'c' });
      expect(driven.recover(null).receipt).toMatchObject({ outcome: 'resolved', id: ulid(1) });
      expect(statuses(driven)).toEqual(['resolved', 'open']);
    });

    test('resolves the newest of very many, and the next ones at the next recovery', () => {
      const { occur, recover, events } = driveDedup();
      for (let i = 0; i < MAX_FED + 1; i++) occur({ identity: `i-${i}` });
      const open = () => [...events.values()].filter(({ status }) => status === 'open').map(({ id }) => id);
      expect(recover(null).receipt).toMatchObject({ outcome: 'resolved', id: ulid(MAX_FED + 1) });
      expect(open()).toEqual([ulid(1)]);
      expect(recover(null).receipt).toMatchObject({ outcome: 'resolved', id: ulid(1) });
      expect(open()).toEqual([]);
    });

    test('an acknowledgement is of the newest', () => {
      const driven = feeding();
      driven.one({ kind: 'acknowledged', source: 'zabbix', sourceId: 'z-1', conditionId: null, at: T0 });
      expect(statuses(driven)).toEqual(['open', 'acknowledged']);
    });
  });

  test('a sourceId that gave way to newer ones takes no room in the index', () => {
    const { occur, state } = driveDedup();
    for (let i = 0; i < 50; i++) occur({ sourceId: `z-${i}` });
    expect(state.tenants.get('acme')?.bySource.size).toBe(20);
  });

  test('when it is over, it is over', () => {
    const { occur, recover } = driveDedup();
    occur();
    recover(null);
    expect(recover(null).receipt).toEqual(ignored);
  });
});

describe('what else a monitor says of an event', () => {
  const say = (kind: 'acknowledged' | 'suppressed' | 'unsuppressed', conditionId: string | null = 'c'): Ask => ({
    kind,
    source: 'icinga',
    sourceId: 'z-1',
    conditionId,
    at: T0 + MINUTE,
    author: 'joe',
    notes: 'on it',
  });
  const joe = { id: 'icinga:joe', username: 'joe', name: 'joe' };

  test('acknowledgement', () => {
    const { occur, one, event } = driveDedup();
    occur({ conditionId: 'c' });
    const { receipt, saved } = one(say('acknowledged'));
    expect(receipt).toMatchObject({ outcome: 'acknowledged', id: ulid(1) });
    expect(saved).toMatchObject([{ happened: 'changed', previousStatus: 'open' }]);
    expect(event(1)).toMatchObject({ status: 'acknowledged', acknowledgedBy: joe, acknowledgedAt: T0 + MINUTE });
    expect(event(1).history.at(-1)).toEqual({
      at: T0 + MINUTE,
      by: joe,
      from: 'open',
      to: 'acknowledged',
      notes: 'on it',
      position: 2,
    });
  });

  test('nobody acknowledged an event before it began', () => {
    const { occur, one, event } = driveDedup();
    occur({ conditionId: 'c', timestamp: T0 + 2 * MINUTE });
    one(say('acknowledged'));
    expect(event(1)).toMatchObject({ acknowledgedAt: T0 + 2 * MINUTE, history: [{}, { at: T0 + 2 * MINUTE }] });
  });

  test('downtime and its end', () => {
    const { occur, one, event } = driveDedup();
    occur({ conditionId: 'c' });
    expect(one(say('suppressed')).receipt).toMatchObject({ outcome: 'suppressed' });
    expect(event(1).status).toBe('suppressed');
    expect(one(say('unsuppressed')).receipt).toMatchObject({ outcome: 'reopened' });
    expect(event(1).status).toBe('open');
    const again = one(say('unsuppressed'));
    expect(again.receipt).toMatchObject({ outcome: 'ignored', id: ulid(1) });
    expect(again.saved).toEqual([]);
  });

  test.each(['acknowledged', 'suppressed', 'unsuppressed'] as const)('%s with nothing open is ignored', (kind) => {
    const { one, occur, event } = driveDedup();
    expect(one(say(kind)).receipt).toEqual(ignored);
    expect(one(say(kind, null)).receipt).toEqual(ignored);
    occur({ conditionId: 'c' });
    expect(event(3).status).toBe('open');
  });
});

describe('a known delivery', () => {
  const ask: Ask = { kind: 'occurred', occurrence: occurrence() };
  test('is answered as the first time, and not counted', () => {
    const { one, event } = driveDedup();
    const first = one(ask, { deliveryId: 'm-1' });
    const again = one(ask, { deliveryId: 'm-1' });
    expect(again.receipt).toEqual(first.receipt);
    expect(again.saved).toEqual([]);
    one(ask, { deliveryId: 'm-2' });
    expect(event(1).count).toBe(2);
  });

  test('within one batch too', () => {
    const { run, entry, event } = driveDedup();
    const asked = run([entry(ask, { deliveryId: 'm-1' }), entry(ask, { deliveryId: 'm-1' })]);
    expect(asked.receipts.get(2)).toEqual(asked.receipts.get(1));
    expect(asked.deliveries).toHaveLength(1);
    expect(event(1).count).toBe(1);
  });
});
