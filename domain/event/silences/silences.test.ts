import { expect, test } from '@jest/globals';
import { suppressionOf } from './judge.ts';
import { compileMatcher, openTitleWords, type Silenceable } from './matcher.ts';
import { holding } from './recurrence.ts';
import {
  maintainedCi,
  maintenanceName,
  ownCisOf,
  type SilenceMatcher,
  silenceId,
  silenceState,
} from './silence-rule.ts';

const EVENT: Silenceable = {
  sourceId: 'id-1',
  source: 'Zabbix',
  severity: 'warning',
  hostname: 'FRA1-db-01',
  service: 'Shop',
  application: 'mysql',
  environment: 'prod',
  tags: ['lab', 'Gold'],
  title: 'Disk /var is 97 % full',
  ci: { id: 'c1', name: 'db', type: 'server' },
};
const BELOW = new Set(['c1', 'c2']);

const takes = (matcher: SilenceMatcher, event: Partial<Silenceable> = {}): boolean => {
  const own = ownCisOf(matcher);
  const meant = { own: own.length > 0 ? new Set(own) : undefined, below: matcher.below ? BELOW : undefined };
  return compileMatcher(matcher, meant, openTitleWords())({ ...EVENT, ...event });
};

test.each<[SilenceMatcher, Partial<Silenceable>, boolean]>([
  [{ source: 'zabbix' }, {}, true],
  [{ source: 'zabbi' }, {}, false],
  [{ severity: ['info', 'warning'] }, {}, true],
  [{ severity: ['critical'] }, {}, false],
  [{ host: 'fra1-*' }, {}, true],
  [{ host: 'fra1-??-0?' }, {}, true],
  [{ host: 'fra1' }, {}, false],
  [{ host: 'fra.*' }, {}, false],
  [{ host: 'd?' }, { hostname: undefined as never }, true],
  [{ host: '*' }, { hostname: undefined as never, ci: null }, false],
  [{ service: 'shop' }, {}, true],
  [{ service: 'MySQL' }, {}, true],
  [{ service: 'sho' }, {}, false],
  [{ environment: 'Prod' }, {}, true],
  [{ environment: 'test' }, {}, false],
  [{ tag: 'lab' }, {}, true],
  [{ tag: 'gold' }, {}, false],
  [{ title: 'full DISK' }, {}, true],
  [{ title: '97' }, {}, true],
  [{ title: 'disk empty' }, {}, false],
  [{ title: 'dis' }, {}, false],
  [{ ciId: 'c1' }, {}, true],
  [{ ciId: 'c1' }, { ci: { id: 'c2', name: 'x', type: 'server' } }, false],
  [{ ciId: 'c1' }, { ci: null }, false],
  [{ ciIds: ['c1', 'c2'] }, { ci: { id: 'c2', name: 'x', type: 'server' } }, true],
  [{ ciIds: ['c1', 'c2'] }, { ci: { id: 'c3', name: 'x', type: 'server' } }, false],
  [{ ciType: 'Server' }, {}, true],
  [{ ciType: 'switch' }, {}, false],
  [{ below: 'c1' }, { ci: { id: 'c2', name: 'x', type: 'server' } }, true],
  [{ below: 'c1' }, { ci: { id: 'c3', name: 'x', type: 'server' } }, false],
  [{ below: 'c1', tag: 'lab' }, {}, true],
  [{ below: 'c1', tag: 'no' }, {}, false],
  [{ source: 'zabbix', host: 'muc*' }, {}, false],
  [{}, {}, false],
  [{ labels: [{ name: 'team', op: '=', value: 'web' }] }, { tags: ['team:web'] }, true],
  [{ labels: [{ name: 'team', op: '=', value: 'we' }] }, { tags: ['team:web'] }, false],
  [{ labels: [{ name: 'team', op: '=~', value: 'w.b|db' }] }, { tags: ['team:web'] }, true],
  [{ labels: [{ name: 'team', op: '=~', value: 'w' }] }, { tags: ['team:web'] }, false],
  [{ labels: [{ name: 'team', op: '!=', value: 'web' }] }, { tags: ['team:web'] }, false],
  [{ labels: [{ name: 'team', op: '!=', value: 'web' }] }, {}, true],
  [{ labels: [{ name: 'team', op: '=', value: '' }] }, {}, true],
  [{ labels: [{ name: 'team', op: '!~', value: 'd.*' }] }, { tags: ['team:web', 'team:db'] }, false],
  [{ labels: [{ name: 'team', op: '=', value: 'db' }] }, { tags: ['team:web', 'team:db'] }, true],
  [{ labels: [{ name: 'url', op: '=', value: 'http://a:1' }] }, { tags: ['url:http://a:1'] }, true],
  [{ labels: [{ name: 'alertname', op: '=~', value: 'Disk .*' }] }, {}, true],
  [{ labels: [{ name: 'severity', op: '=', value: 'warning' }] }, { tags: ['severity:page'] }, false],
  [{ labels: [{ name: 'severity', op: '=', value: 'warning' }] }, {}, true],
  [
    {
      labels: [
        { name: 'a', op: '=', value: '' },
        { name: 'instance', op: '!=', value: 'FRA1-db-01' },
      ],
    },
    {},
    false,
  ],
  [{ labels: [{ name: 'team', op: '=~', value: '(' }] }, { tags: ['team:('] }, false],
  [{ labels: [{ name: 'toString', op: '=', value: '' }], tag: 'lab' }, {}, true],
])('%j of %j: %s', (matcher, event, expected) => {
  expect(takes(matcher, event)).toBe(expected);
});

test('of several the one that lasts longest suppresses, from its start until before its end', () => {
  const silence = (id: string, startsAt: number, endsAt: number, test = true) => ({
    rule: { id },
    holdsUntil: holding({ startsAt, endsAt }),
    test: () => test,
  });
  const silences = [silence('A', 10, 20), silence('B', 10, 30), silence('C', 25, 50), silence('D', 0, 99, false)];
  const above = { ciId: 'c9', below: new Set(['c1']), untilAt: (now: number) => (now < 40 ? 40 : null) };
  const at = (now: number, own: number | null = null, maintained = [above].slice(1)) =>
    suppressionOf({ silences, maintained }, EVENT, own, now);
  expect([9, 10, 19, 20, 29, 30, 49, 50].map((now) => at(now)?.by ?? null)).toEqual([
    null,
    'SIL-B',
    'SIL-B',
    'SIL-B',
    'SIL-C',
    'SIL-C',
    'SIL-C',
    null,
  ]);
  expect(at(15)).toEqual({ by: 'SIL-B', until: 30 });
  expect(at(15, 45)).toEqual({ by: 'maintenance:c1', until: 45 });
  expect(at(15, Number.POSITIVE_INFINITY)).toEqual({ by: 'maintenance:c1' });
  expect(at(15, 20, [above])).toEqual({ by: 'maintenance:c9', until: 40 });
  expect(suppressionOf({ silences: [], maintained: [above] }, { ...EVENT, ci: null }, null, 15)).toBeNull();
});

test('names and states', () => {
  expect([silenceId('SIL-1'), silenceId('1'), maintainedCi('SIL-1'), maintainedCi(maintenanceName('c1'))]).toEqual([
    '1',
    '1',
    null,
    'c1',
  ]);
  const rule = { startsAt: 10, endsAt: 20 };
  expect([9, 10, 19, 20].map((now) => silenceState(rule, now))).toEqual(['planned', 'active', 'active', 'past']);
});
