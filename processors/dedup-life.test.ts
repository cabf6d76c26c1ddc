import { describe, expect, test } from '@jest/globals';
import type { Occurrence } from '#domain/event/incoming.ts';
import { ann, driveDedup, HOUR, MINUTE, T0, ulid } from '#test/setup/asks.ts';

const DAY = 24 * HOUR;
const plain = (sourceId: string, title: string, more: Partial<Occurrence> = {}): Partial<Occurrence> => ({
  plain: true,
  sourceId,
  title,
  ...more,
});

describe('plain ingest: each sourceId is a condition', () => {
  const two = () => {
    const driven = driveDedup();
    driven.occur(plain('a', 'CPU 91 %'));
    driven.occur(plain('b', 'CPU 95 %', { timestamp: T0 + MINUTE }));
    return driven;
  };
  const end = (driven: ReturnType<typeof driveDedup>, sourceId: string, at: number = T0 + HOUR) =>
    driven.recover(null, at, { sourceId, receivedAt: T0 + HOUR });

  test('the recovery of one leaves the other open, the last one resolves', () => {
    const driven = two();
    expect(end(driven, 'a').receipt).toMatchObject({ outcome: 'changed', id: ulid(1) });
    expect(driven.event(1)).toMatchObject({ status: 'open', title: 'CPU 95 %', conditions: [{ id: 'zabbix#b' }] });
    expect(driven.event(1).history.at(-1)?.notes).toBe('Still open: CPU 95 %');
    expect(end(driven, 'a').receipt).toMatchObject({ outcome: 'ignored', id: null });
    expect(end(driven, 'b').receipt).toMatchObject({ outcome: 'resolved', id: ulid(1) });
  });

  test('a later sourceId with the same title takes the place of the earlier one', () => {
    const driven = two();
    driven.occur(plain('c', 'CPU 95 %', { timestamp: T0 + 2 * MINUTE }));
    expect(driven.event(1).conditions.map(({ id }) => id)).toEqual(['zabbix#a', 'zabbix#c']);
    expect(end(driven, 'b').receipt).toMatchObject({ outcome: 'ignored' });
    expect(end(driven, 'c').receipt).toMatchObject({ outcome: 'changed' });
    expect(end(driven, 'a').receipt).toMatchObject({ outcome: 'resolved' });
  });

  test('messages that are numbered and all say the same leave one condition, which is not written down', () => {
    const driven = driveDedup();
    for (let n = 0; n < 5; n++) driven.occur(plain(`m-${n}`, 'Link down', { timestamp: T0 + n * MINUTE }));
    expect(driven.event(1).conditions).toEqual([]);
    expect(end(driven, 'm-4').receipt).toMatchObject({ outcome: 'resolved' });
  });

  test('one of several that has begun anew stays', () => {
    const driven = two();
    driven.occur(plain('a', 'CPU 93 %', { timestamp: T0 + 10 * MINUTE }));
    expect(end(driven, 'a', T0 + 5 * MINUTE).receipt).toMatchObject({ outcome: 'ignored', id: ulid(1) });
    expect(driven.event(1).conditions).toHaveLength(2);
  });

  test('a monitor without conditions has none: its messages do not keep an event open', () => {
    const { occur, event } = driveDedup();
    occur({ sourceId: 'a', title: 'CPU 91 %' });
    occur({ sourceId: 'b', title: 'CPU 95 %' });
    expect(event(1).conditions).toEqual([]);
  });

  test('beyond 100 the oldest but the first gives way', () => {
    const { occur, event } = driveDedup();
    for (let n = 0; n < 150; n++) occur(plain(`s-${n}`, `CPU ${n} %`));
    const ids = event(1).conditions.map(({ id }) => id);
    expect([ids.length, ids[0], ids[1], ids.at(-1)]).toEqual([100, 'zabbix#s-0', 'zabbix#s-51', 'zabbix#s-149']);
  });
});

describe('an event shows the open condition that is worst, then oldest', () => {
  test('when the worst is over, the next one is shown, and history says so', () => {
    const { occur, recover, event } = driveDedup();
    occur({ conditionId: 'eth0', title: 'eth0 down', description: 'first', severity: 'critical' });
    occur({ source: 'nagios', conditionId: 'eth1', title: 'eth1 down', description: 'second', severity: 'critical' });
    occur({
      source: 'nagios',
      conditionId: 'eth1',
      title: 'eth1 down',
      description: 'third',
      severity: 'warning',
      timestamp: T0 + MINUTE,
    });
    expect(event(1)).toMatchObject({ title: 'eth0 down', severity: 'critical', description: 'first' });
    const { saved } = recover('eth0', T0 + 2 * MINUTE);
    expect(event(1)).toMatchObject({ title: 'eth1 down', severity: 'warning', description: 'third', status: 'open' });
    expect(event(1).history.at(-1)).toMatchObject({
      severity: { from: 'critical', to: 'warning' },
      notes: 'Still open: eth1 down',
    });
    expect(saved).toMatchObject([{ happened: 'changed' }]);
  });

  test('one that becomes worse than the others is shown at once', () => {
    const { occur, event } = driveDedup();
    occur({ conditionId: 'a', title: 'A', severity: 'minor' });
    occur({ source: 'nagios', conditionId: 'b', title: 'B', severity: 'minor' });
    const { saved } = occur({ source: 'nagios', conditionId: 'b', title: 'B', severity: 'major' });
    expect(event(1)).toMatchObject({ title: 'B', severity: 'major' });
    expect(saved).toMatchObject([{ happened: 'changed', again: 'escalated' }]);
  });
});

describe('plain ingest: the same source and sourceId with another severity', () => {
  const warning = plain('d', 'Disk 91 % full', { severity: 'warning', identity: 'w', signature: 'sw' });
  const critical = plain('d', 'Disk 99 % full', {
    severity: 'critical',
    identity: 'c',
    signature: 'sc',
    timestamp: T0 + MINUTE,
  });

  test('a new event takes the place of the old one', () => {
    const { occur, one, event } = driveDedup();
    occur(warning);
    one({ kind: 'assigned', eventId: ulid(1), correlationId: 'COR-1' });
    one({ kind: 'status-set', eventId: ulid(1), status: 'acknowledged', by: ann });
    const { receipt, saved } = occur(critical);
    expect(receipt).toMatchObject({ outcome: 'created', id: ulid(4), correlationId: 'COR-1' });
    expect(event(1)).toMatchObject({ status: 'resolved', supersededBy: ulid(4) });
    expect(event(4)).toMatchObject({
      status: 'acknowledged',
      acknowledgedBy: ann,
      supersedes: ulid(1),
      problemSince: T0,
      severity: 'critical',
    });
    expect(saved).toMatchObject([
      { happened: 'changed', previousStatus: 'acknowledged', event: { id: ulid(1) } },
      { happened: 'created', again: 'supersedes', event: { id: ulid(4) } },
    ]);
    occur({ ...warning, timestamp: T0 + 2 * MINUTE });
    expect(event(4).supersededBy).toBe(ulid(5));
    expect(event(5)).toMatchObject({ supersedes: ulid(4), problemSince: T0 });
  });

  test('one problem, one open event: its recovery ends it', () => {
    const { occur, recover, events } = driveDedup();
    occur(warning);
    occur(critical);
    expect(recover(null, T0 + HOUR, { sourceId: 'd', receivedAt: T0 + HOUR }).receipt).toMatchObject({
      outcome: 'resolved',
      id: ulid(2),
    });
    expect([...events.values()].map(({ status }) => status)).toEqual(['resolved', 'resolved']);
  });

  test.each<[string, Partial<Occurrence>]>([
    ['another sourceId', { sourceId: 'e' }],
    ['another source', { source: 'nagios' }],
    ['another thing', { title: 'Fan 2 is slow' }],
    ['another host', { hostname: 'db-02' }],
    ['a webhook', { conditionId: 'x' }],
  ])('%s takes no place', (_what, change) => {
    const { occur, event } = driveDedup();
    occur(warning);
    const { plain: _plain, ...hooked } = critical;
    const asked = 'conditionId' in change ? { ...hooked, ...change } : { ...critical, ...change };
    expect(occur(asked).receipt).toMatchObject({ outcome: 'created' });
    expect([event(1).status, event(2).supersedes]).toEqual(['open', undefined]);
  });

  test('the severity may be a word of the title', () => {
    const { occur, event } = driveDedup();
    occur({ ...warning, title: 'WARNING: load 5.2' });
    occur({ ...critical, title: 'CRITICAL: load 9.7' });
    expect(event(2).supersedes).toBe(ulid(1));
  });

  test('with plainEscalation same_event it stays the same event', () => {
    const { occur, event } = driveDedup();
    occur({ ...warning, escalation: 'same_event' });
    const { receipt, saved } = occur({ ...critical, escalation: 'same_event' });
    expect(receipt).toMatchObject({ outcome: 'duplicate_updated', id: ulid(1), count: 2 });
    expect(event(1)).toMatchObject({ severity: 'critical', signature: 'sc', identity: 'w' });
    expect(saved).toMatchObject([{ again: 'escalated' }]);
    expect(occur({ ...critical, escalation: 'same_event' }).receipt).toMatchObject({ id: ulid(1), count: 3 });
  });
});

describe('what comes after the end of its condition and began no later', () => {
  test.each<[string, Partial<Occurrence>]>([
    ['of a monitor', { conditionId: 'c', ongoing: true }],
    ['of plain ingest', { plain: true }],
  ])('%s is counted on the event that ended, and opens nothing', (_what, said) => {
    const { occur, recover, event } = driveDedup();
    occur(said);
    recover(said.conditionId ?? null, T0 + MINUTE, { receivedAt: T0 + MINUTE });
    for (const count of [2, 3, 4]) {
      const { receipt } = occur(said, { receivedAt: T0 + 2 * MINUTE });
      expect(receipt).toMatchObject({ outcome: 'duplicate_updated', id: ulid(1), count });
    }
    expect(event(1)).toMatchObject({ status: 'resolved', count: 4, conditions: [] });
    const anew = occur({ ...said, timestamp: T0 + MINUTE + 1 }, { receivedAt: T0 + 2 * MINUTE });
    expect(anew.receipt).toMatchObject({ outcome: 'created' });
  });

  test('the first that came after its own recovery is where the others are counted', () => {
    const { occur, recover } = driveDedup();
    recover('c', T0 + MINUTE);
    expect(occur({ conditionId: 'c' }).receipt).toMatchObject({ outcome: 'created', id: ulid(2) });
    expect(occur({ conditionId: 'c' }).receipt).toMatchObject({ outcome: 'duplicate_updated', id: ulid(2) });
  });

  test('one condition of several: the event stays open, and does not wait for it again', () => {
    const { occur, recover, event } = driveDedup();
    occur({ conditionId: 'a' });
    occur({ source: 'nagios', conditionId: 'b' });
    recover('a', T0 + MINUTE);
    expect(occur({ conditionId: 'a' }).receipt).toMatchObject({ outcome: 'duplicate_updated', id: ulid(1) });
    expect(event(1).conditions.map(({ id }) => id)).toEqual(['b']);
  });

  test('what has no time of its own began when it came', () => {
    const { occur, recover } = driveDedup();
    occur({ plain: true, untimed: true });
    recover(null, T0, { untimed: true });
    expect(occur({ plain: true, untimed: true }).receipt).toMatchObject({ outcome: 'created' });
  });

  test('another complaint under the same sourceId is a new event', () => {
    const { occur, recover } = driveDedup();
    occur({ plain: true });
    recover(null, T0 + MINUTE);
    expect(occur({ plain: true, identity: 'other' }).receipt).toMatchObject({ outcome: 'created' });
  });
});

describe('silence', () => {
  test.each([
    [HOUR, undefined],
    [HOUR + 1, 'returned'],
  ])('a monitor that names its condition again after %d ms: the same event, %s', (silence, again) => {
    const { occur } = driveDedup();
    occur({ conditionId: 'c' });
    const { receipt, saved } = occur({ conditionId: 'c', timestamp: T0 + silence });
    expect(receipt).toMatchObject({ outcome: 'duplicate_updated', id: ulid(1) });
    expect(saved).toMatchObject([again ? { happened: 'changed', again } : { happened: 'repeated' }]);
  });

  test('what says when it began is heard of again when it is received, not when it is stored', () => {
    const { occur } = driveDedup();
    const ongoing = { conditionId: 'c', ongoing: true } as const;
    occur(ongoing, { receivedAt: T0 + 9 * HOUR });
    expect(occur(ongoing, { receivedAt: T0 + 9 * HOUR + MINUTE }).saved).toMatchObject([{ happened: 'repeated' }]);
    expect(occur(ongoing, { receivedAt: T0 + 11 * HOUR }).saved).toMatchObject([{ again: 'returned' }]);
  });

  test('a return with another severity is a return', () => {
    const { occur } = driveDedup();
    occur({ conditionId: 'c' });
    const { saved } = occur({ conditionId: 'c', timestamp: T0 + 2 * HOUR, severity: 'info' });
    expect(saved).toMatchObject([{ again: 'returned', event: { severity: 'info' } }]);
  });

  test('what is suppressed is repeated and does not return', () => {
    const { occur } = driveDedup();
    occur({ conditionId: 'c', silencing: { by: 'SIL-1', until: T0 + 9 * HOUR } });
    const { saved } = occur({
      conditionId: 'c',
      timestamp: T0 + 2 * HOUR,
      silencing: { by: 'SIL-1', until: T0 + 9 * HOUR },
    });
    expect(saved).toMatchObject([{ happened: 'repeated', event: { status: 'suppressed' } }]);
  });

  test('an occurrence after a long silence that a silence suppresses is no return', () => {
    const { occur } = driveDedup();
    occur({ conditionId: 'c' });
    const silencing = { by: 'SIL-1', until: T0 + 9 * HOUR };
    const { saved } = occur({ conditionId: 'c', timestamp: T0 + 2 * HOUR, silencing });
    expect(saved).toMatchObject([{ happened: 'changed', event: { status: 'suppressed' } }]);
    expect(saved[0]).not.toHaveProperty('again');
  });

  test('as long as the longest window of the tenant', () => {
    const { occur } = driveDedup();
    occur({ conditionId: 'c' });
    const { saved } = occur({ conditionId: 'c', timestamp: T0 + 16 * MINUTE, returnAfterMs: 15 * MINUTE });
    expect(saved).toMatchObject([{ again: 'returned' }]);
  });
});

describe('changes are moments', () => {
  const change: Partial<Occurrence> = { plain: true, moment: true, sourceId: 'd-1', title: 'checkout deployed' };
  test.each<[string, Partial<Occurrence>, string]>([
    ['the same message again', {}, 'duplicate_updated'],
    ['5 min later', { timestamp: T0 + 5 * MINUTE }, 'duplicate_updated'],
    ['more than 5 min later', { timestamp: T0 + 5 * MINUTE + 1 }, 'created'],
    ['another sourceId', { sourceId: 'd-2', timestamp: T0 + 1 }, 'created'],
  ])('%s', (_what, further, outcome) => {
    for (const condition of [{}, { conditionId: 'x' }]) {
      if ('conditionId' in condition && 'sourceId' in further) continue;
      const { occur, event } = driveDedup();
      occur({ ...change, ...condition });
      expect(occur({ ...change, ...condition, ...further }).receipt).toMatchObject({ outcome });
      const resolution = { status: 'resolved', resolutionCategory: 'no-action-needed' };
      expect(event(1)).toMatchObject(outcome === 'created' ? resolution : { status: 'open' });
    }
  });

  test('a retry of the one before is counted there', () => {
    const { occur } = driveDedup();
    occur(change);
    occur({ ...change, sourceId: 'd-2', timestamp: T0 + MINUTE });
    expect(occur(change).receipt).toMatchObject({ outcome: 'duplicate_updated', id: ulid(1) });
  });
});

describe('a further message about a condition fills in what the event lacks', () => {
  test('host, address, service and the rest; what is there stays', () => {
    const { occur, event } = driveDedup();
    const { hostname: _host, ...bare } = { hostname: undefined };
    occur({ ...bare, conditionId: 'c', service: 'shop' });
    const { asked } = occur({
      conditionId: 'c',
      ipAddress: '10.0.0.1',
      service: 'other',
      application: 'a',
      environment: 'e',
      category: 'k',
    });
    expect(event(1)).toMatchObject({
      ipAddress: '10.0.0.1',
      service: 'shop',
      application: 'a',
      environment: 'e',
      category: 'k',
    });
    expect([...asked.parts.values()][0]).toContain('said');
  });

  test('its CI: then it is bound', () => {
    const { occur, event } = driveDedup();
    const ci = { id: 'ci-1', name: 'db-01', type: 'server' };
    occur({ conditionId: 'c' });
    const { saved } = occur({ conditionId: 'c', ci });
    expect(event(1).ci).toEqual(ci);
    expect(saved).toMatchObject([{ happened: 'bound', event: { ci } }]);
    occur({ conditionId: 'c', ci: { ...ci, id: 'ci-2' } });
    expect(event(1).ci?.id).toBe('ci-1');
  });
});

describe('times that cannot be believed', () => {
  const skewed = (n: number) => ({ ok: true, outcome: 'created', id: ulid(n), skewed: true });

  test.each<[string, number, boolean]>([
    ['before 2015', Date.UTC(1970, 0, 1, 0, 1), true],
    ['7 days behind the newest event', T0 - 7 * DAY, false],
    ['more than 7 days behind it', T0 - 7 * DAY - 1, true],
  ])('%s', (_what, timestamp, isSkewed) => {
    const { occur, event } = driveDedup();
    occur({ identity: 'newest' });
    const { receipt } = occur({ timestamp }, { receivedAt: T0 + HOUR });
    const used = isSkewed ? T0 + HOUR : timestamp;
    expect(event(2)).toMatchObject({ timestamp: used, firstOccurrence: used, lastOccurrence: used });
    expect(event(2).reportedTimestamp).toBe(isSkewed ? timestamp : undefined);
    expect(event(2).tags).toEqual(isSkewed ? ['clock-skew'] : []);
    if (isSkewed) expect(receipt).toMatchObject(skewed(2));
    else expect(receipt).not.toHaveProperty('skewed');
  });

  test('what happened long ago is believed in a tenant of its own', () => {
    const { occur, event } = driveDedup();
    occur({ timestamp: T0 - 40 * DAY });
    occur({ identity: 'next', timestamp: T0 - 39 * DAY });
    expect([event(1), event(2)].map(({ timestamp }) => timestamp)).toEqual([T0 - 40 * DAY, T0 - 39 * DAY]);
  });

  test('the tenant may say how far', () => {
    const { occur, event } = driveDedup();
    occur({ identity: 'newest' });
    occur({ timestamp: T0 - 2 * DAY, maxBehindMs: DAY });
    expect(event(2).timestamp).toBe(T0);
  });

  test('a repeat with such a time does not move the first occurrence', () => {
    const { occur, event } = driveDedup();
    occur();
    occur({ timestamp: 1_000 }, { receivedAt: T0 + MINUTE });
    expect(event(1)).toMatchObject({
      count: 2,
      firstOccurrence: T0,
      lastOccurrence: T0 + MINUTE,
      tags: ['clock-skew'],
    });
  });

  test('its recovery, by the same clock, ends it', () => {
    const { occur, recover, event } = driveDedup();
    occur({ conditionId: 'c', timestamp: 60_000 });
    recover('c', 120_000, { receivedAt: T0 + MINUTE });
    expect(event(1)).toMatchObject({ status: 'resolved', resolvedAt: T0 + MINUTE });
  });
});
