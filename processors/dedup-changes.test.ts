import { describe, expect, test } from '@jest/globals';
import type { Status } from '#domain/event/event.ts';
import type { Ask } from '#domain/event/incoming.ts';
import { ann, driveDedup, HOUR, MINUTE, occurrence, T0, TENANT, ulid } from '#test/setup/asks.ts';

type Wish = Exclude<Status, 'open'>;
const set = (n: number, status: Wish, more: Partial<Extract<Ask, { kind: 'status-set' }>> = {}): Ask => ({
  kind: 'status-set',
  eventId: ulid(n),
  status,
  by: ann,
  ...more,
});
const STATES = ['open', 'acknowledged', 'suppressed', 'resolved'] as const;
const WISHES = ['acknowledged', 'suppressed', 'resolved'] as const;
const pairs = STATES.flatMap((from) => WISHES.map((to): [Status, Wish] => [from, to]));

describe('a user sets the status', () => {
  test.each(pairs)('from %s to %s', (from, to) => {
    const { occur, one, event } = driveDedup();
    occur();
    if (from !== 'open') one(set(1, from));
    const before = event(1);
    const { receipt, saved } = one(set(1, to), { receivedAt: T0 + MINUTE });
    expect(receipt).toEqual({ ok: true, outcome: to, id: ulid(1), count: 1, correlationId: null });
    expect(event(1).status).toBe(to);
    if (from === to) expect([event(1), saved]).toEqual([before, []]);
    else {
      expect(saved).toMatchObject([{ happened: 'changed', previousStatus: from, event: { status: to } }]);
      expect(event(1).history.at(-1)).toEqual({
        at: T0 + MINUTE,
        by: ann,
        from,
        to,
        position: from === 'open' ? 2 : 3,
      });
    }
  });

  test('resolved has who, when, notes and category; leaving it takes them away', () => {
    const { occur, one, event } = driveDedup();
    occur({ conditionId: 'c' });
    one(set(1, 'resolved', { notes: 'new disk', category: 'manual-fix' }), { receivedAt: T0 + HOUR });
    expect(event(1)).toMatchObject({
      resolvedBy: ann,
      resolvedAt: T0 + HOUR,
      resolutionNotes: 'new disk',
      resolutionCategory: 'manual-fix',
    });
    one(set(1, 'acknowledged'), { receivedAt: T0 + 2 * HOUR });
    expect(event(1)).toMatchObject({ status: 'acknowledged', acknowledgedBy: ann, acknowledgedAt: T0 + 2 * HOUR });
    for (const gone of ['resolvedBy', 'resolvedAt', 'resolutionNotes', 'resolutionCategory']) {
      expect(event(1)).not.toHaveProperty(gone);
    }
    expect(event(1).history).toHaveLength(3);
  });

  test('the same state again adds notes', () => {
    const { occur, one, event } = driveDedup();
    occur();
    one(set(1, 'resolved', { notes: 'new disk' }));
    const again = one(set(1, 'resolved', { notes: 'and cable', category: 'manual-fix' }), { receivedAt: T0 + HOUR });
    expect(again.saved).toHaveLength(1);
    expect(again.saved[0]?.previousStatus).toBeUndefined();
    expect(event(1)).toMatchObject({
      resolvedAt: T0,
      resolutionNotes: 'new disk\nand cable',
      resolutionCategory: 'manual-fix',
    });
    expect(event(1).history.at(-1)).toMatchObject({ from: 'resolved', to: 'resolved', notes: 'and cable', by: ann });
  });

  test('an unknown event, and one of another tenant, are not found', () => {
    const { one } = driveDedup();
    const refused = { ok: false, fault: 'not-found', message: `Event EVT-${ulid(9)} was not found` };
    expect(one(set(9, 'resolved')).receipt).toEqual(refused);
    const { run, entry, occur } = driveDedup();
    occur();
    const asked = run([{ ...entry(set(1, 'resolved')), tenant: 'other' }]);
    expect(asked.receipts.get(2)).toMatchObject({ ok: false, fault: 'not-found' });
  });

  test.each(['acknowledged', 'suppressed'] as const)(
    'leaving resolved for %s is refused while the complaint is open again',
    (to) => {
      const { occur, one, event } = driveDedup();
      occur();
      one(set(1, 'resolved'));
      occur();
      expect(one(set(1, to)).receipt).toMatchObject({
        ok: false,
        fault: 'conflict',
        data: { conflictingEventId: `EVT-${ulid(3)}` },
      });
      expect(event(1).status).toBe('resolved');
      expect(one(set(3, 'resolved')).receipt).toMatchObject({ ok: true });
      expect(one(set(1, to)).receipt).toMatchObject({ ok: true });
    },
  );

  test('a resolved event is no longer found by occurrences and recoveries; one that left resolved is', () => {
    const { occur, recover, one, event } = driveDedup();
    occur({ conditionId: 'c' });
    one(set(1, 'resolved'));
    expect(recover('c', T0 - HOUR).receipt).toMatchObject({ outcome: 'ignored' });
    one(set(1, 'acknowledged'));
    occur({ conditionId: 'c' });
    expect(event(1)).toMatchObject({ count: 2, status: 'acknowledged', conditions: [{ id: 'c', position: 1 }] });
  });
});

describe('assigned', () => {
  const assign = (correlationId: string, eventId = ulid(1)): Ask => ({ kind: 'assigned', eventId, correlationId });
  test('is written once; a second one changes and emits nothing', () => {
    const { occur, one, event } = driveDedup();
    occur();
    const first = one(assign('COR-1-a'));
    expect(first.saved).toMatchObject([{ happened: 'assigned', event: { correlationId: 'COR-1-a' } }]);
    expect(first.asked.parts.get(`acme/${ulid(1)}`)).toEqual(new Set(['assigned']));
    const second = one(assign('COR-2-b'));
    expect([second.saved, second.asked.events.size]).toEqual([[], 0]);
    expect(event(1).correlationId).toBe('COR-1-a');
    expect(occur().receipt).toMatchObject({ correlationId: 'COR-1-a' });
  });

  test('answers nobody, as it may carry the position of its arrival, and never lowers the fence', () => {
    const { run, entry, batch, event } = driveDedup();
    const arrival = entry({ kind: 'occurred', occurrence: occurrence() });
    run([arrival]);
    batch({ kind: 'occurred', occurrence: occurrence() });
    const asked = run([{ ...arrival, value: { ask: assign('COR-1-a'), receivedAt: T0 } }]);
    expect(asked.receipts.size).toBe(0);
    expect(event(1)).toMatchObject({ correlationId: 'COR-1-a', position: 2 });
    expect(run([entry(assign('COR-1-a', ulid(7)))]).emitted).toEqual([]);
  });
});

describe('related', () => {
  const links = [{ other: ulid(2), score: 1, literalScore: 1, reasons: [] }];
  const relate = (n: number, notes?: string): Ask => ({
    kind: 'related',
    eventId: ulid(n),
    links,
    manual: true,
    by: ann,
    ...(notes && { notes }),
  });
  test('passes through; merge answers', () => {
    const { occur, one, event } = driveDedup();
    occur();
    const { receipt, saved, asked } = one(relate(1));
    expect(saved).toEqual([{ happened: 'related', event: event(1), receivedAt: T0, links, manual: true }]);
    expect([receipt, asked.events.size]).toEqual([undefined, 0]);
  });
  test('keeps who said why', () => {
    const { occur, one, event } = driveDedup();
    occur();
    one(relate(1, 'same rack'));
    expect(event(1).history.at(-1)).toEqual({
      at: T0,
      by: ann,
      from: 'open',
      to: 'open',
      notes: 'same rack',
      position: 2,
    });
  });
  test('of an unknown event is refused', () => {
    expect(driveDedup().one(relate(5)).receipt).toMatchObject({ ok: false, fault: 'not-found' });
  });
});

describe('bound', () => {
  const ci = { id: 'ci-1', name: 'db-01', type: 'database' };
  const bind = (n: number): Ask => ({ kind: 'bound', eventId: ulid(n), ci });
  test('sets the CI and its signature once, and keeps the identity', () => {
    const { occur, one, event } = driveDedup();
    occur({ tags: ['ambiguous-ci', 'a'] });
    const { saved, receipt } = one(bind(1));
    expect(saved).toMatchObject([{ happened: 'bound', event: { ci } }]);
    expect(receipt).toMatchObject({ ok: true, outcome: 'changed' });
    expect(event(1)).toMatchObject({ ci, tags: ['a'], identity: 'disk-full@db-01' });
    expect(event(1).signature).not.toBe('disk-full');
    expect(one(bind(1)).saved).toEqual([]);
    expect(occur().receipt).toMatchObject({ outcome: 'duplicate_updated', id: ulid(1) });
  });
  test('of an unknown event is refused', () => {
    expect(driveDedup().one(bind(5)).receipt).toMatchObject({ ok: false, fault: 'not-found' });
  });
});

test('analysed: the newest analysis stands', () => {
  const { occur, one, event } = driveDedup();
  occur();
  const analysis = {
    anomalyScore: 0.5,
    rootCauseHypothesis: 'h',
    relatedEvents: [],
    recommendedActions: [],
    generatedAt: T0,
    generatedBy: 'rules' as const,
  };
  expect(one({ kind: 'analysed', eventId: ulid(1), analysis }).saved).toMatchObject([{ happened: 'changed' }]);
  expect(event(1).aiAnalysis).toEqual(analysis);
  expect(one({ kind: 'analysed', eventId: ulid(9), analysis }).receipt).toMatchObject({ fault: 'not-found' });
});

describe('what a person does leaves an entry of the audit trail with the change', () => {
  const trail = { id: ulid(99), address: '10.0.0.1', department: 'network', expiresAt: T0 + HOUR };
  const common = { tenant: TENANT, kind: 'audit', id: ulid(99), expiresAt: T0 + HOUR };
  const entry = { id: ulid(99), at: T0 + MINUTE, actor: ann, address: '10.0.0.1', department: 'network' };
  const target = { kind: 'event', id: `EVT-${ulid(1)}` };

  test('a status, with what was said', () => {
    const { occur, one } = driveDedup();
    occur();
    const done = one(set(1, 'acknowledged', { trail, notes: 'on it' }), { receivedAt: T0 + MINUTE });
    const after = { status: 'acknowledged', notes: 'on it' };
    const body = { ...entry, action: 'event.updated', target, before: { status: 'open' }, after };
    expect(done.asked.records).toEqual([{ ...common, body }]);
  });

  test('events put together', () => {
    const { occur, one } = driveDedup();
    occur();
    const link = { other: ulid(7), score: 1, literalScore: 1, reasons: [] };
    const ask: Ask = { kind: 'related', eventId: ulid(1), links: [link], manual: true, by: ann, trail };
    const after = { relatedEventIds: [`EVT-${ulid(7)}`], reason: undefined };
    const body = { ...entry, action: 'event.correlated', target, before: null, after };
    expect(one(ask, { receivedAt: T0 + MINUTE }).asked.records).toEqual([{ ...common, body }]);
  });

  test('nothing for what changes nothing, is refused, or has no trail', () => {
    const { occur, one } = driveDedup();
    occur();
    expect(one(set(1, 'acknowledged')).asked.records).toEqual([]);
    expect(one(set(1, 'acknowledged', { trail })).asked.records).toEqual([]);
    expect(one(set(8, 'acknowledged', { trail })).asked.records).toEqual([]);
  });
});

test('an event that was heard of since is not over', () => {
  const { occur, one, event } = driveDedup();
  occur();
  const silence = { heard: T0, category: 'auto-resolved', notes: 'no updates for 24h' } as const;
  const expire: Ask = { kind: 'expired', eventId: ulid(1), silence };
  occur({ timestamp: T0 + MINUTE });
  expect(one(expire, { receivedAt: T0 + HOUR }).receipt).toMatchObject({ outcome: 'ignored' });
  expect(event(1)).toMatchObject({ status: 'open', count: 2 });
  const later = { ...expire, silence: { ...silence, heard: T0 + MINUTE } };
  expect(one(later, { receivedAt: T0 + 2 * HOUR }).receipt).toMatchObject({ outcome: 'resolved' });
  expect(event(1)).toMatchObject({ status: 'resolved', resolutionNotes: 'no updates for 24h' });
});

test('expired: an open event is resolved, a resolved one stays as it is', () => {
  const { occur, one, event } = driveDedup();
  occur({ conditionId: 'c' });
  const expire: Ask = { kind: 'expired', eventId: ulid(1) };
  expect(one(expire, { receivedAt: T0 + HOUR }).receipt).toMatchObject({ outcome: 'resolved' });
  expect(event(1)).toMatchObject({ status: 'resolved', resolvedAt: T0 + HOUR, resolutionCategory: 'auto-resolved' });
  const again = one(expire);
  expect([again.receipt, again.saved]).toMatchObject([{ outcome: 'ignored' }, []]);
});

describe('what one batch tells', () => {
  const occur = (changes = {}): Ask => ({ kind: 'occurred', occurrence: occurrence(changes) });
  const told = (...asks: Ask[]): unknown[] =>
    driveDedup()
      .batch(...asks)
      .emitted.map(({ entry: { value, position } }) => {
        const { happened, event } = value as { happened: string; event: { id: string; count: number } };
        return [happened, Number(event.id), event.count, position];
      });

  test('a creation by itself, further occurrences of one event as one', () => {
    expect(told(occur(), occur(), occur({ identity: 'b' }), occur(), occur({ identity: 'b' }))).toEqual([
      ['created', 1, 1, 1],
      ['created', 3, 1, 3],
      ['repeated', 1, 3, 5],
      ['repeated', 3, 2, 5],
    ]);
  });

  test('a change shows the repeats before it; those after it come at the end', () => {
    expect(told(occur(), occur(), set(1, 'acknowledged'), occur())).toEqual([
      ['created', 1, 1, 1],
      ['changed', 1, 2, 3],
      ['repeated', 1, 3, 4],
    ]);
    expect(told(occur(), occur(), set(1, 'resolved'))).toEqual([
      ['created', 1, 1, 1],
      ['changed', 1, 2, 3],
    ]);
  });
});
