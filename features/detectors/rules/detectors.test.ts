import { describe, expect, test } from '@jest/globals';
import type { Event } from '#domain/event/event.ts';
import type { Service } from '#domain/services/service.ts';
import { Findings } from '#features/ai/rules/findings.ts';
import { MINUTE, NOON, sampleEvent } from '#test/contract/samples.ts';
import { burstFinding, burstsOf } from './burst.ts';
import { detectFailedChanges } from './failed-change.ts';
import type { Finding } from './finding.ts';
import { detectFlapping } from './flapping.ts';
import { detectLonelyCis } from './missing-relationship.ts';
import { detectNeverAcknowledged } from './never-acknowledged.ts';
import { detectNewSignatures } from './new-signature.ts';
import { detectNoisyMonitors } from './noisy-monitor.ts';
import { ranked } from './rank.ts';
import { detectRepeatedIncidents } from './repeated-incident.ts';
import { detectRisingTrends } from './rising-trend.ts';
import { detectSinglePoints } from './single-point.ts';
import { detectStaleCis } from './stale-ci.ts';
import { detectUnboundShare } from './unbound-share.ts';

const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const ci = (name: string) => ({ id: `id-${name}`, name, type: 'server' });
const db = ci('db-1');
const event = (changes: Partial<Event> = {}): Event => sampleEvent(1, { title: 'Disk full', ci: db, ...changes });
const service = (criticality: Service['criticality']): Service => ({
  id: 'shop',
  name: 'Shop',
  description: '',
  criticality,
  sla: { availability: null, responseTime: null },
  components: [],
  createdAt: 0,
  updatedAt: 0,
  createdBy: 'x',
  updatedBy: 'x',
});
const href = '/v1/events';

/** Each case with how many findings there are. */
type Cases = readonly (readonly [title: string, findings: () => readonly Finding[], fires: 0 | 1])[];

const heard = (changes: Partial<Parameters<typeof detectNewSignatures>[0][number]>) =>
  detectNewSignatures([{ signature: 's', newest: event(), count: 1, before: 0, knownDays: 30, ...changes }]);
const minor = event({ severity: 'minor' });
const NEW: Cases = [
  ['severe and never heard', () => heard({}), 1],
  ['heard once before', () => heard({ before: 1 }), 0],
  ['known for seven days', () => heard({ knownDays: 7 }), 1],
  ['known for less', () => heard({ knownDays: 6.9 }), 0],
  ['five that are not severe', () => heard({ newest: minor, count: 5 }), 1],
  ['four that are not severe', () => heard({ newest: minor, count: 4 }), 0],
];

const hours = (last: number, usual = 4, known = 100) => {
  const all = Array.from({ length: known + 24 }, (_, n) => ({ at: NOON + n * HOUR, count: usual }));
  return [...all, { at: NOON + (known + 24) * HOUR, count: last }];
};
const bursts = (...args: Parameters<typeof hours>) => {
  const seen = hours(...args);
  return burstsOf(seen, seen.at(-1)!.at).map((burst) => burstFinding(burst, { newest: event(), count: 3 }));
};
const BURST: Cases = [
  ['five times the usual', () => bursts(20), 1],
  ['just less', () => bursts(19), 0],
  ['many where many are usual', () => bursts(100, 30), 0],
  ['few where none are usual', () => bursts(19, 0), 0],
  ['twenty where none are usual', () => bursts(20, 0), 1],
  ['three days to compare with', () => bursts(50, 4, 71), 1],
  ['less than three days', () => bursts(50, 4, 70), 0],
];

const turns = (times: number, every: number, identity = (_: number) => 'one') =>
  detectFlapping(
    Array.from({ length: times }, (_, n) =>
      sampleEvent(n + 1, { identity: identity(n), firstOccurrence: NOON - n * every, ci: db }),
    ),
  );
const FLAPPING: Cases = [
  ['four beginnings within a day', () => turns(4, 7 * HOUR), 1],
  ['three', () => turns(3, HOUR), 0],
  ['four within more than a day', () => turns(4, 8 * HOUR), 0],
  ['four of two systems', () => turns(4, HOUR, (n) => `system-${n % 2}`), 0],
];

const actor = { id: 'u', username: 'ann', name: 'Ann' };
const loud = (changes: Partial<Parameters<typeof detectNoisyMonitors>[0][number]>) =>
  detectNoisyMonitors([
    {
      signature: 's',
      source: 'zabbix',
      newest: event(),
      count: 50,
      total: 1_000,
      acknowledged: 0,
      sample: [event()],
      ...changes,
    },
  ]);
const NOISY: Cases = [
  ['a twentieth of all', () => loud({}), 1],
  ['just less', () => loud({ count: 49 }), 0],
  ['nineteen', () => loud({ count: 19, total: 20 }), 0],
  ['twenty', () => loud({ count: 20, total: 20 }), 1],
  ['one that was acknowledged', () => loud({ acknowledged: 1 }), 0],
  ['one that a person resolved', () => loud({ sample: [event(), event({ resolvedBy: actor })] }), 0],
  ['one that was assigned', () => loud({ sample: [event({ assignedTo: actor })] }), 0],
  [
    'one whose status a person changed',
    () => loud({ sample: [event({ history: [{ at: 1, by: actor, from: 'open', to: 'suppressed', position: 1 }] })] }),
    0,
  ],
  ['nothing to look at', () => loud({ sample: [] }), 0],
];

const waiting = (total: number) =>
  detectNeverAcknowledged({ total, severe: 9, oldest: [event({ firstOccurrence: NOON })], now: NOON + 2 * DAY });
const WAITING: Cases = [
  ['three', () => waiting(3), 1],
  ['two', () => waiting(2), 0],
];

const share = (unbound: number, total = 100) =>
  detectUnboundShare({ total, unbound, sources: [{ source: 'zabbix', total, unbound }], href });
const UNBOUND: Cases = [
  ['a fifth', () => share(20), 1],
  ['just less', () => share(19), 0],
  ['all of forty-nine', () => share(49, 49), 0],
  ['all of fifty', () => share(50, 50), 1],
];

const STALE: Cases = [
  ['one', () => detectStaleCis({ total: 1, cis: [db], all: 5 }), 1],
  ['none', () => detectStaleCis({ total: 0, cis: [], all: 5 }), 0],
];

const lonely = (events: number, relationships = 0) => detectLonelyCis([{ ci: db, events, relationships }]);
const LONELY: Cases = [
  ['five events', () => lonely(5), 1],
  ['four events', () => lonely(4), 0],
  ['a relationship', () => lonely(50, 1), 0],
];

const hangs = (below: number, criticality?: Service['criticality'], impact = 'full_outage' as const) =>
  detectSinglePoints([
    {
      ci: db,
      below,
      truncated: false,
      services: criticality === undefined ? [] : [{ service: service(criticality), impact }],
    },
  ]);
const SINGLE: Cases = [
  ['twenty CIs', () => hangs(20), 1],
  ['nineteen', () => hangs(19), 0],
  ['three and a service of high criticality', () => hangs(3, 'high'), 1],
  ['two and such a service', () => hangs(2, 'high'), 0],
  ['three and a service of medium criticality', () => hangs(19, 'medium'), 0],
  ['a service that redundancy keeps up', () => hangs(3, 'critical', 'degraded_functionality' as never), 0],
];

const trend = (now: number, before: number, others = 0) => {
  const one = { signature: 's', newest: event(), now, before, expected: null };
  const same = { ...one, now: 1, before: 1 };
  return detectRisingTrends([one, ...Array.from({ length: others }, () => same)], href);
};
const RISING: Cases = [
  ['twice as many', () => trend(60, 30), 1],
  ['less than one and a half times', () => trend(295, 200), 0],
  ['nineteen', () => trend(19, 1), 0],
  ['twenty', () => trend(20, 1), 1],
  ['none before', () => trend(20, 0), 0],
  ['what chance explains', () => trend(30, 20), 0],
  ['what chance explains among five hundred', () => trend(60, 36, 499), 0],
];

const repeated = (times: number) =>
  detectRepeatedIncidents([
    {
      key: 'k',
      cause: event(),
      groups: Array.from({ length: times }, (_, n) => `COR-${n}`),
      events: 9,
      days: 90,
      ended: event({ resolutionNotes: 'Rotated the logs' }),
    },
  ]);
const REPEATED: Cases = [
  ['three times', () => repeated(3), 1],
  ['twice', () => repeated(2), 0],
];

const changed = (after: number | null) =>
  detectFailedChanges([
    {
      said: 'restart',
      at: NOON,
      ci: db,
      by: { kind: 'assessment', id: 'a' },
      failure: after === null ? null : event({ firstOccurrence: NOON + after }),
    },
  ]);
const twice = detectFailedChanges(
  [0, HOUR].map((at) => ({
    said: 'restart',
    at: NOON + at,
    ci: db,
    by: { kind: 'assessment' as const, id: `a${at}` },
    failure: event({ firstOccurrence: NOON + HOUR + MINUTE }),
  })),
);
test('a change that failed is told in minutes when it failed at once', () => {
  expect(twice[0]!.detail).toMatch(/^"Disk full" started 1 minute after "restart" on db-1/);
  expect(changed(90 * MINUTE)[0]!.detail).toContain('started 1.5 hours after');
  expect(changed(20_000)[0]!.detail).toContain('started less than a minute after');
});
const FAILED: Cases = [
  ['a day after', () => changed(DAY), 1],
  ['later', () => changed(DAY + 1), 0],
  ['at the same time', () => changed(0), 0],
  ['no failure', () => changed(null), 0],
  ['an earlier change that was fine until the last one', () => twice, 1],
];

const ALL = { NEW, BURST, FLAPPING, NOISY, WAITING, UNBOUND, STALE, LONELY, SINGLE, RISING, REPEATED, FAILED };

describe.each(Object.entries(ALL))('%s', (_, cases) => {
  test.each(cases)('%s', (_title, findings, fires) => {
    expect(findings()).toHaveLength(fires);
  });

  test('says it in short sentences, on evidence, with a metric beyond its threshold', () => {
    const all = cases.flatMap(([, findings]) => findings());
    expect(all.length).toBeGreaterThan(0);
    for (const finding of all) {
      const findings = new Findings();
      expect(finding.cite(findings).filter((ref) => ref !== null).length).toBeGreaterThan(0);
      expect(finding.cite(findings).length).toBeLessThanOrEqual(2);
      expect(finding.detail.length).toBeLessThanOrEqual(300);
      expect(finding.title.length).toBeLessThanOrEqual(160);
      expect(finding.confidence).toBeGreaterThan(0);
      expect(finding.confidence).toBeLessThan(1);
      const { value, threshold, unit } = finding.metric;
      if (unit === 'hours') expect(value).toBeLessThanOrEqual(threshold);
      else expect(value).toBeGreaterThanOrEqual(threshold);
    }
  });

  test('has the same subject each time', () => {
    for (const [, findings] of cases)
      expect(findings().map(({ subject }) => subject)).toEqual(findings().map(({ subject }) => subject));
  });
});

test('a note on how an incident ended is told again', () => {
  expect(repeated(3)[0]!.recommendation).toContain('"Rotated the logs"');
});

describe('Of many findings', () => {
  const many = (kind: Finding['kind'], n: number, severity: Finding['severity'] = 'minor') =>
    Array.from({ length: n }, (_, i) => ({ ...lonely(5)[0]!, kind, severity, subject: `s-${i}` }));

  test('twenty are told, the most severe first', () => {
    const told = ranked([...many('flapping', 15), ...many('burst', 15, 'major')]);
    expect(told).toHaveLength(20);
    expect(told.map(({ kind }) => kind).slice(0, 15)).toEqual(Array.from({ length: 15 }, () => 'burst'));
  });

  test('one kind does not crowd out the others', () => {
    const told = ranked([...many('burst', 30, 'major'), ...many('stale-ci', 1, 'info')]);
    expect(told.map(({ kind }) => kind)).toContain('stale-ci');
    expect(told.at(-1)!.kind).toBe('stale-ci');
  });
});
