import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { assertDefined } from '#domain/assert.ts';
import type { MonitorAction } from '#domain/event/draft.ts';
import type { Event } from '#domain/event/event.ts';
import type { Ask } from '#domain/event/incoming.ts';
import { prepare } from '#domain/event/lifecycle/prepare.ts';
import { sourceNamed } from '#sources/sources.ts';
import { ann, driveDedup, HOUR, MINUTE, T0, ulid } from '#test/setup/asks.ts';

/** A message of a monitor about one of two things that only its own key distinguishes. */
type Say = (thing: string, isOver: boolean, at: number) => unknown;
const iso = (at: number): string => new Date(at).toISOString();

const alertmanager: Say = (thing, isOver, at) => ({
  alerts: [
    {
      status: isOver ? 'resolved' : 'firing',
      fingerprint: `fp-${thing}`,
      labels: { alertname: 'DiskFull', instance: 'web1:9100', severity: 'critical', mountpoint: `/${thing}` },
      annotations: { summary: 'Filesystem has less than 5% space left' },
      startsAt: iso(isOver ? at - HOUR : at),
      endsAt: isOver ? iso(at) : '0001-01-01T00:00:00Z',
    },
  ],
});

const MONITORS: Readonly<Record<string, Say>> = {
  prometheus: alertmanager,
  grafana: alertmanager,
  zabbix: (thing, isOver, at) => ({
    event_id: `e-${thing}`,
    trigger_id: thing,
    trigger_name: 'RAID is degraded',
    hostname: 'h2',
    severity: '4',
    event_value: isOver ? '0' : '1',
    timestamp: at / 1_000,
  }),
  cloudwatch: (thing, isOver, at) => ({
    AlarmName: 'cpu high',
    AlarmArn: `arn:aws:cloudwatch:eu-west-1:123456789012:alarm:${thing}`,
    NewStateValue: isOver ? 'OK' : 'ALARM',
    OldStateValue: 'OK',
    NewStateReason: 'x',
    StateChangeTime: iso(at),
    Trigger: { Dimensions: [{ name: 'HostName', value: 'h3' }] },
  }),
  pagerduty: (thing, isOver, at) => ({
    routing_key: 'r',
    event_action: isOver ? 'resolve' : 'trigger',
    dedup_key: thing,
    payload: { summary: 'Replica lags', source: 'db-1', severity: 'critical', component: thing, timestamp: iso(at) },
  }),
  datadog: (thing, isOver, at) => ({
    id: `${at}`,
    alert_id: '7',
    alert_cycle_key: `cycle-${thing}`,
    alert_scope: `host:web1,device:${thing}`,
    alert_transition: isOver ? 'Recovered' : 'Triggered',
    title: 'Disk is full',
    hostname: 'web1',
    date: at,
    last_updated: at,
    alert_type: isOver ? 'success' : 'error',
  }),
  gcp: (thing, isOver, at) => ({
    version: '1.2',
    incident: {
      incident_id: `i-${thing}`,
      policy_name: 'Disk is full',
      condition_name: 'usage above 90%',
      state: isOver ? 'closed' : 'open',
      started_at: (isOver ? at - HOUR : at) / 1_000,
      ...(isOver && { ended_at: at / 1_000 }),
      resource: { type: 'gce_instance', labels: { instance_id: 'web1' } },
    },
  }),
  azuremonitor: (thing, isOver, at) => ({
    schemaId: 'azureMonitorCommonAlertSchema',
    data: {
      essentials: {
        alertId: `/subscriptions/1/alerts/${thing}`,
        alertRule: 'Disk is full',
        severity: 'Sev1',
        monitorCondition: isOver ? 'Resolved' : 'Fired',
        signalType: 'Metric',
        firedDateTime: iso(at),
        ...(isOver && { resolvedDateTime: iso(at) }),
        alertTargetIDs: ['/subscriptions/1/resourcegroups/r/providers/microsoft.compute/virtualmachines/web1'],
      },
    },
  }),
};

const BINDING = { ci: null, ambiguous: false };
const SETTINGS = { severities: {}, snsTopics: [], replicaLabels: [], alerts: [], durations: new Map() };

/** Returns the request of the API. */
const askOf = (action: MonitorAction, receivedAt: number): Ask => {
  if (action.action === 'resolve') {
    const { source, sourceId, conditionId, at } = action;
    return { kind: 'recovered', source, sourceId, conditionId, at: at ?? receivedAt, ...(!at && { untimed: true }) };
  }
  if (action.action !== 'open') throw new Error(`asks ${action.action}`);
  const settings = { dedupScope: 'system', dedupWindowMs: HOUR } as const;
  const { draft, conditionId } = action;
  const occurrence = prepare(draft, { binding: BINDING, settings, newId: ulid(0), conditionId, receivedAt });
  return { kind: 'occurred', occurrence };
};

const openOf = (events: ReadonlyMap<string, Event>): Event[] =>
  [...events.values()].filter(({ status }) => status !== 'resolved');

describe.each(Object.entries(MONITORS))('two conditions of %s that are equal in all else', (name, bodyOf) => {
  const source = assertDefined(sourceNamed(name), 'source');
  const drive = () => {
    const driven = driveDedup();
    const say = (thing: string, isOver: boolean, at: number) => {
      const { items } = source.read({ body: bodyOf(thing, isOver, at), headers: {}, receivedAt: at }, SETTINGS);
      const [item] = items;
      if (items.length !== 1 || !item?.ok) throw new Error(JSON.stringify(items));
      return driven.one(askOf(item.action, at), { receivedAt: at }).receipt;
    };
    return { ...driven, say };
  };

  test.each([
    ['a minute', 'the first', MINUTE, 'var', 'data'],
    ['a minute', 'the second', MINUTE, 'data', 'var'],
    ['61 minutes', 'the first', 61 * MINUTE, 'var', 'data'],
    ['61 minutes', 'the second', 61 * MINUTE, 'data', 'var'],
    ['five days', 'the first', 120 * HOUR, 'var', 'data'],
  ])('the second after %s, %s ends first: each is open until its own end', (_after, _ends, gap, first, second) => {
    const { say, events } = drive();
    const [one, two] = [say('var', false, T0), say('data', false, T0 + gap)];
    expect([one, two]).toMatchObject([{ outcome: 'created' }, { outcome: 'created' }]);
    const [a, b] = openOf(events);
    expect([a?.identity === b?.identity, a?.conditions.length, b?.conditions.length]).toEqual([true, 1, 1]);
    expect(say(first, true, T0 + gap + MINUTE)).toMatchObject({ outcome: 'resolved' });
    expect(openOf(events)).toHaveLength(1);
    expect(say(second, true, T0 + gap + 2 * MINUTE)).toMatchObject({ outcome: 'resolved' });
    expect(openOf(events)).toHaveLength(0);
  });
});

describe('what different monitors say of one thing', () => {
  const [OF_A, OF_B] = [{ source: 'zabbix' }, { source: 'nagios', sourceId: 'n-1' }] as const;

  test('is one event, which ends with the last of them', () => {
    const { occur, recover, event } = driveDedup();
    occur({ ...OF_A, conditionId: 'zabbix:1', title: 'Disk full', tags: ['a'] });
    const later = T0 + 61 * MINUTE;
    const { receipt } = occur({ ...OF_B, conditionId: 'nagios:1', title: 'Disk FULL', tags: ['b'], timestamp: later });
    expect(receipt).toMatchObject({ outcome: 'duplicate_updated', id: ulid(1) });
    expect(event(1)).toMatchObject({ tags: ['a', 'b'], conditions: [{ id: 'zabbix:1' }, { source: 'nagios' }] });
    expect(recover('zabbix:1', later).receipt).toMatchObject({ outcome: 'changed' });
    expect(event(1)).toMatchObject({ status: 'open', title: 'Disk FULL', tags: ['b'] });
    expect(recover('nagios:1', later).receipt).toMatchObject({ outcome: 'resolved', id: ulid(1) });
  });

  test('of two things of each there are two events, in whatever order they are told', () => {
    const told = [
      ...['1', '2'].map((n) => ({ ...OF_A, conditionId: `zabbix:${n}` })),
      ...['1', '2'].map((n) => ({ ...OF_B, conditionId: `nagios:${n}` })),
    ];
    fc.assert(
      fc.property(fc.shuffledSubarray(told, { minLength: 4 }), (order) => {
        const { occur, events } = driveDedup();
        for (const one of order) occur(one);
        expect(openOf(events).map(({ conditions }) => conditions.length)).toEqual([2, 2]);
      }),
    );
  });

  test('a sender without keys of conditions joins it, and takes nothing away', () => {
    const { occur, recover, event } = driveDedup();
    occur({ ...OF_A, conditionId: 'zabbix:1' });
    occur({ source: 'cron', sourceId: 'x', plain: true, timestamp: T0 + 5 * HOUR });
    expect(event(1).conditions.map(({ id }) => id)).toEqual(['zabbix:1', 'cron#x']);
    recover(null, T0 + 6 * HOUR, { source: 'cron', sourceId: 'x', receivedAt: T0 + 6 * HOUR });
    expect(event(1)).toMatchObject({ status: 'open', conditions: [{ id: 'zabbix:1' }] });
  });

  test('a monitor that joins what plain ingest has said waits for both', () => {
    const { occur, recover, event } = driveDedup();
    occur({ source: 'cron', sourceId: 'x', plain: true });
    occur({ ...OF_A, conditionId: 'zabbix:1' });
    recover('zabbix:1');
    expect(event(1).status).toBe('open');
    recover(null, T0, { source: 'cron', sourceId: 'x' });
    expect(event(1).status).toBe('resolved');
  });
});

describe('plain ingest after a silence', () => {
  const said = { plain: true, dedupWindowMs: HOUR } as const;
  const later = T0 + 61 * MINUTE;

  test('of the same sourceId takes the place of what it said before, with all that people did', () => {
    const { occur, one, event } = driveDedup();
    occur(said);
    one({ kind: 'assigned', eventId: ulid(1), correlationId: 'COR-1' });
    const assignedTo = { user: ann };
    one({ kind: 'status-set', eventId: ulid(1), status: 'suppressed', by: ann, notes: 'known', assignedTo });
    const { receipt, saved } = occur({ ...said, timestamp: later }, { receivedAt: later });
    expect(receipt).toMatchObject({ outcome: 'created', id: ulid(4), correlationId: 'COR-1' });
    expect(event(1)).toMatchObject({ status: 'resolved', resolutionNotes: 'superseded', supersededBy: ulid(4) });
    expect(event(4)).toMatchObject({
      status: 'suppressed',
      assignedTo: ann,
      supersedes: ulid(1),
      problemSince: T0,
      correlationId: 'COR-1',
    });
    expect(saved).toMatchObject([{ happened: 'changed' }, { happened: 'created', again: 'supersedes' }]);
  });

  test('of another sourceId stands beside it, and each ends by itself', () => {
    const { occur, recover, event } = driveDedup();
    occur({ ...said, sourceId: 'a' });
    occur({ ...said, sourceId: 'b', timestamp: later }, { receivedAt: later });
    expect([event(1).status, event(2).status]).toEqual(['open', 'open']);
    // Each is counted on its own.
    expect(occur({ ...said, sourceId: 'a', timestamp: T0 + 50 * MINUTE }).receipt).toMatchObject({ id: ulid(1) });
    expect(recover(null, later, { sourceId: 'b', receivedAt: later }).receipt).toMatchObject({ id: ulid(2) });
    expect([event(1).status, event(2).status]).toEqual(['open', 'resolved']);
  });
});

/**
 * Steps of six conditions of three monitors with two identities: fired, repeated, ended, each some time after the one
 * before.
 */
const step = fc.record({
  condition: fc.nat({ max: 5 }),
  isOver: fc.boolean(),
  after: fc.constantFrom(MINUTE, 30 * MINUTE, 61 * MINUTE, 5 * HOUR, 30 * HOUR),
  isSure: fc.boolean(),
});

test('as long as a monitor says that it fires there is an open event of it, and no longer', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 10, maxLength: 80, size: 'max' }), (steps) => {
      const driven = driveDedup();
      const fires = new Map<string, number>();
      let now = T0;
      for (const { condition, isOver, after, isSure } of steps) {
        now += after;
        const source = ['zabbix', 'nagios', 'prometheus'][condition % 3] as string;
        const id = `${source}:${condition}`;
        const extra = { source, sourceId: `${condition}`, receivedAt: now };
        if (isOver) {
          driven.recover(id, now, extra);
          fires.delete(id);
        } else {
          const since = fires.get(id) ?? now;
          fires.set(id, since);
          const times = isSure ? { timestamp: since, ongoing: true as const } : { timestamp: now };
          const identity = `i${condition % 2}`;
          driven.occur({ ...times, source, sourceId: `${condition}`, conditionId: id, identity }, { receivedAt: now });
        }
        const held = openOf(driven.events).flatMap(({ conditions }) => conditions.map((one) => one.id));
        expect(held.sort()).toEqual([...fires.keys()].sort());
        for (const event of openOf(driven.events)) {
          const monitors = event.conditions.map((one) => one.source ?? event.source);
          expect(new Set(monitors).size).toBe(monitors.length);
          expect(monitors.length).toBeGreaterThan(0);
        }
      }
    }),
  );
});

describe('a condition that comes back within an hour of its end', () => {
  test('counts its returns on each new event, and is told to flap from the second on', () => {
    const { occur, recover, event, events } = driveDedup();
    const at = (minutes: number) => ({ timestamp: T0 + minutes * MINUTE });
    for (let n = 0; n < 4; n++) {
      occur({ conditionId: 'c', tags: ['a'], ...at(10 * n) });
      recover('c', at(10 * n + 5).timestamp, { receivedAt: at(10 * n + 5).timestamp });
    }
    expect([...events.values()].map(({ returns, tags }) => [returns, tags])).toEqual([
      [undefined, ['a']],
      [1, ['a']],
      [2, ['flapping', 'a']],
      [3, ['flapping', 'a']],
    ]);
    expect(event(3).history[0]?.notes).toBe(`recurred within an hour after EVT-${ulid(1)} ended; recurrence 1`);
    const late = { timestamp: T0 + 10 * HOUR };
    occur({ conditionId: 'c', ...late }, { receivedAt: late.timestamp });
    expect(event(9).returns).toBeUndefined();
  });

  test('the tag stays as long as the event is open', () => {
    const { occur, recover, event } = driveDedup();
    for (let n = 0; n < 3; n++) {
      occur({ conditionId: 'c', timestamp: T0 + n * MINUTE });
      if (n < 2) recover('c', T0 + n * MINUTE, { receivedAt: T0 + n * MINUTE });
    }
    occur({ conditionId: 'c', timestamp: T0 + HOUR, tags: ['b'] });
    expect(event(5).tags).toEqual(['flapping', 'b']);
  });
});
