import { describe, expect, test } from '@jest/globals';
import { MAX_HISTORY } from '#domain/event/lifecycle/change.ts';
import { driveDedup, HOUR, MINUTE, occurrence, T0, ulid } from '#test/setup/asks.ts';

const created = { ok: true, outcome: 'created', count: 1, correlationId: null };
const duplicate = (n: number, count: number) => ({
  ok: true,
  outcome: 'duplicate_updated',
  id: ulid(n),
  count,
  correlationId: null,
});

test('a first occurrence becomes an event', () => {
  const { occur, event } = driveDedup();
  const { receipt, saved, asked } = occur({ conditionId: 'c', tags: ['a'], details: { x: 1 }, description: 'd' });
  expect(receipt).toEqual({ ...created, id: ulid(1) });
  expect(event(1)).toEqual({
    tenant: 'acme',
    id: ulid(1),
    source: 'zabbix',
    sourceId: 'z-1',
    severity: 'major',
    title: 'Disk full',
    timestamp: T0,
    hostname: 'db-01',
    ci: null,
    identity: 'disk-full@db-01',
    signature: 'disk-full',
    tags: ['a'],
    details: { x: 1 },
    description: 'd',
    status: 'open',
    correlationId: null,
    usual: false,
    conditions: [{ id: 'c', position: 1, since: T0 }],
    count: 1,
    firstOccurrence: T0,
    lastOccurrence: T0,
    history: [{ at: T0, by: null, from: null, to: 'open', position: 1 }],
    seen: { bin: T0 / 600_000, bits: 1 },
    createdAt: T0,
    updatedAt: T0,
    createdPosition: 1,
    position: 1,
  });
  expect(saved).toEqual([{ happened: 'created', event: event(1), receivedAt: T0 }]);
  expect(asked.parts.get(`acme/${ulid(1)}`)).toEqual(new Set(['created']));
});

test.each(['acknowledged', 'suppressed'] as const)('a sender may say %s from the start', (status) => {
  const { occur, event } = driveDedup();
  occur({ status });
  expect(event(1).status).toBe(status);
  expect(event(1).acknowledgedAt).toBe(status === 'acknowledged' ? T0 : undefined);
});

describe('which event an occurrence belongs to', () => {
  test.each<[string, Parameters<typeof occurrence>[0], number]>([
    ['the same identity: the same event', {}, 1],
    ['another identity: a new event', { identity: 'other' }, 2],
    ['the condition counts more than the identity', { identity: 'other', conditionId: 'c' }, 1],
    ['another condition of the same monitor: a new event', { conditionId: 'd' }, 2],
    [
      'a condition of another monitor with the same identity: the same event',
      { source: 'nagios', conditionId: 'd' },
      1,
    ],
    ['the condition knows no window', { timestamp: T0 + 99 * HOUR, conditionId: 'c' }, 1],
    ['nor for what others say of it', { timestamp: T0 + 99 * HOUR }, 1],
    ['earlier than the first', { timestamp: T0 - 48 * HOUR }, 1],
  ])('%s', (_what, changes, n) => {
    const { occur } = driveDedup();
    occur({ conditionId: 'c' });
    const { receipt } = occur(changes);
    expect(receipt).toEqual(n === 1 ? duplicate(1, 2) : { ...created, id: ulid(2) });
  });

  test.each<[string, Parameters<typeof occurrence>[0], number]>([
    ['as long silent as the window: the same event', { timestamp: T0 + 24 * HOUR }, 1],
    ['silent for longer than the window: a new event', { timestamp: T0 + 24 * HOUR + 1 }, 2],
    ['a shorter window of the tenant', { timestamp: T0 + HOUR + 1, dedupWindowMs: HOUR }, 2],
    ['a monitor that names a condition after such a silence', { timestamp: T0 + 25 * HOUR, conditionId: 'c' }, 2],
  ])('of what no monitor holds: %s', (_what, changes, n) => {
    const { occur } = driveDedup();
    occur({ plain: true });
    const { receipt } = occur({ ...(changes?.conditionId ? {} : { plain: true }), ...changes });
    expect(receipt).toEqual(n === 1 ? duplicate(1, 2) : { ...created, id: ulid(2) });
  });

  test('tenants share nothing', () => {
    const driven = driveDedup();
    driven.occur({ conditionId: 'c' });
    const foreign = {
      ...driven.entry({ kind: 'occurred', occurrence: occurrence({ conditionId: 'c' }) }),
      tenant: 'other',
    };
    const asked = driven.run([foreign]);
    expect(asked.receipts.get(2)).toEqual({ ...created, id: ulid(2) });
  });
});

test('silent for too long: the old event is resolved as superseded', () => {
  const { occur, event } = driveDedup();
  occur({ plain: true });
  const later = T0 + 24 * HOUR + 1;
  const { saved } = occur({ plain: true, timestamp: later }, { receivedAt: later });
  expect(event(1)).toMatchObject({
    status: 'resolved',
    resolvedAt: later,
    resolutionCategory: 'auto-resolved',
    supersededBy: ulid(2),
  });
  expect(event(1).history.at(-1)).toEqual({
    at: later,
    by: null,
    from: 'open',
    to: 'resolved',
    notes: 'superseded',
    position: 2,
  });
  expect(saved.map(({ happened, previousStatus, event: { id } }) => [happened, previousStatus, id])).toEqual([
    ['changed', 'open', ulid(1)],
    ['created', undefined, ulid(2)],
  ]);
  expect(occur({ plain: true, timestamp: later }).receipt).toEqual(duplicate(2, 2));
});

test('what says when it began is there as long as it is said', () => {
  const { occur, event } = driveDedup();
  const first = { conditionId: 'var', ongoing: true } as const;
  occur(first);
  const later = T0 + 30 * HOUR;
  occur(first, { receivedAt: later });
  expect(event(1)).toMatchObject({ firstOccurrence: T0, lastOccurrence: later, timestamp: T0 });
  const other = { source: 'nagios', conditionId: 'opt', ongoing: true, timestamp: later - MINUTE } as const;
  expect(occur(other, { receivedAt: later }).receipt).toEqual(duplicate(1, 3));
  expect(event(1)).toMatchObject({ status: 'open', conditions: [{ id: 'var' }, { id: 'opt' }] });
});

describe('what a duplicate changes', () => {
  test('counts, times, tags, details, and the words of the newest; time and sourceId stay those of the first', () => {
    const { occur, event } = driveDedup();
    occur({ tags: ['a', 'b'], details: { x: 1, y: 1 }, description: 'old' });
    occur({
      tags: ['b', 'c'],
      details: { y: 2 },
      title: 'Disk FULL',
      sourceId: 'z-2',
      timestamp: T0 + MINUTE,
      description: 'new',
    });
    const { asked } = occur({ timestamp: T0 - MINUTE });
    expect(event(1)).toMatchObject({
      count: 3,
      firstOccurrence: T0 - MINUTE,
      lastOccurrence: T0 + MINUTE,
      timestamp: T0,
      sourceId: 'z-1',
      title: 'Disk FULL',
      tags: ['a', 'b', 'c'],
      details: { x: 1, y: 2, sourceIds: ['z-1', 'z-2'] },
      description: 'new',
      position: 3,
      createdPosition: 1,
    });
    expect(asked.parts.get(`acme/${ulid(1)}`)).toEqual(new Set(['tally']));
  });

  test.each(['acknowledged', 'suppressed'] as const)('an event that is %s stays so', (status) => {
    const { occur, event } = driveDedup();
    occur({ status });
    occur();
    expect(event(1)).toMatchObject({ status, count: 2 });
  });

  test('tags end at 100', () => {
    const { occur, event } = driveDedup();
    occur({ tags: Array.from({ length: 99 }, (_, i) => `t${i}`) });
    occur({ sourceId: 'z-2', tags: ['new-1', 'new-2', 't1'] });
    expect(event(1).tags).toHaveLength(100);
    expect(event(1).tags.at(-1)).toBe('new-1');
  });

  test('sourceIds: the first and the newest 19', () => {
    const { occur, event } = driveDedup();
    for (let i = 0; i <= 30; i++) occur({ sourceId: `z-${i}` });
    const newest = Array.from({ length: 19 }, (_, i) => `z-${i + 12}`);
    expect(event(1).details.sourceIds).toEqual(['z-0', ...newest]);
  });

  test('names in details end at 256, the newest stay', () => {
    const { occur, event } = driveDedup();
    for (let i = 0; i < 300; i++) occur({ details: { same: i, [`k${i}`]: i } });
    expect(Object.keys(event(1).details)).toHaveLength(256);
    expect(event(1).details).toMatchObject({ same: 299, k299: 299 });
    expect(event(1).details).not.toHaveProperty('k0');
  });
});

describe('escalation by condition', () => {
  test('severity and signature take the new values, identity and status stay, history has the change', () => {
    const { occur, event } = driveDedup();
    occur({ conditionId: 'c', status: 'acknowledged' });
    const worse = { severity: 'critical', signature: 's2', identity: 'i2', timestamp: T0 + MINUTE } as const;
    const { saved, asked } = occur({ conditionId: 'c', ...worse });
    expect(event(1)).toMatchObject({
      severity: 'critical',
      signature: 's2',
      identity: 'disk-full@db-01',
      status: 'acknowledged',
      count: 2,
    });
    expect(event(1).history.at(-1)).toEqual({
      at: T0 + MINUTE,
      by: null,
      from: 'acknowledged',
      to: 'acknowledged',
      position: 2,
      severity: { from: 'major', to: 'critical' },
    });
    expect(saved.map(({ happened, again }) => [happened, again])).toEqual([['changed', 'escalated']]);
    expect(asked.parts.get(`acme/${ulid(1)}`)).toEqual(new Set(['tally', 'state']));
  });

  test('history keeps its first entry and a bounded number of the newest', () => {
    const { occur, event } = driveDedup();
    for (let i = 0; i < MAX_HISTORY + 50; i++) occur({ conditionId: 'c', severity: i % 2 ? 'critical' : 'major' });
    expect(event(1).history).toHaveLength(MAX_HISTORY);
    expect(event(1).history[0]?.from).toBeNull();
    expect(event(1).history.at(-1)?.position).toBe(MAX_HISTORY + 50);
  });
});

describe('a complaint that is there most of the time', () => {
  const seenFor = (bins: number) => {
    const driven = driveDedup();
    for (let i = 0; i < bins; i++) driven.occur({ conditionId: 'c', timestamp: T0 + i * 10 * MINUTE });
    const end = T0 + bins * 10 * MINUTE;
    driven.recover('c', end - 1, { receivedAt: end });
    driven.occur({ conditionId: 'c', timestamp: end }, { receivedAt: end });
    return driven.event(bins + 2);
  };
  test.each([
    [11, false],
    [12, true],
    [30, true],
  ])('seen in %d bins before: usual is %s, over the resolved event too', (bins, usual) => {
    expect(seenFor(bins).usual).toBe(usual);
  });

  test('after four hours of other events it is forgotten', () => {
    const driven = driveDedup();
    for (let i = 0; i < 20; i++) driven.occur({ timestamp: T0 + i * 10 * MINUTE });
    driven.occur({ identity: 'other', timestamp: T0 + 12 * HOUR }, { receivedAt: T0 + 12 * HOUR });
    driven.occur({ timestamp: T0 + 3 * HOUR, dedupWindowMs: 0, conditionId: 'late' });
    expect(driven.event(1).seen).toEqual({ bin: T0 / 600_000 + 18, bits: 1 });
  });
});

test('an id that no store can find is refused, and nothing has changed', () => {
  const { occur, event, run } = driveDedup();
  occur();
  const late = { timestamp: T0 + 48 * HOUR };
  const ask = { kind: 'occurred', occurrence: occurrence({ ...late, newId: 'poison' }) } as const;
  const bad = { tenant: 'acme', position: 2, value: { ask, receivedAt: T0 } };
  expect(() => run([bad])).toThrow('must be a ULID, not poison');
  expect(event(1).status).toBe('open');
  expect(occur(late).receipt).toEqual({ ...created, id: ulid(2) });
  expect(event(1).status).toBe('resolved');
});
