import { describe, expect, test } from '@jest/globals';
import { localText, zonedMs } from '#console/text/zoned-time.ts';
import {
  bodyOf,
  draftOfCi,
  draftOfCis,
  draftOfEvent,
  draftOfSilence,
  emptyDraft,
  labelOf,
  lastingWords,
  matcherOf,
  newWeekly,
  timesOf,
} from './silence-draft.ts';

test.each([
  ['Disk full (97 %) on /var', 'Disk full on var'],
  ['SIP registration', 'SIP registration'],
  ['12:00 5xx 10.0.0.1', ''],
])('of the title %j these words last: %j', (title, words) => expect(lastingWords(title)).toBe(words));

test.each([
  ['team=db', { name: 'team', op: '=', value: 'db' }],
  ['env =~ "prod|\\"s\\""', { name: 'env', op: '=~', value: 'prod|"s"' }],
  ['db', null],
])('the label condition %j is %j', (text, label) => expect(labelOf(text)).toEqual(label));

const zone = 'Europe/Berlin';
const local = { toLocal: (ms: number) => localText(ms, zone), toMs: (text: string) => zonedMs(text, zone), zone };
const at = (text: string): number => zonedMs(text, zone) ?? Number.NaN;

describe('a silence', () => {
  const event = { title: 'SIP registration lost 3 times', hostname: 'pet-voip', source: 'zabbix' };

  test('of an event matches its problem on its host', () => {
    const { conditions, suggestions } = draftOfEvent(event);
    expect(matcherOf(conditions)).toEqual({ title: 'SIP registration lost times', host: 'pet-voip' });
    expect(suggestions).toEqual([{ name: 'source', value: 'zabbix' }]);
  });
  test('of an event without a host matches its CI, else its source', () => {
    const { hostname: _host, ...rest } = event;
    const bound = draftOfEvent({ ...rest, ciId: { _id: 'c1', name: 'pet-voip', type: 'vm' } });
    expect(matcherOf(bound.conditions)).toEqual({ title: 'SIP registration lost times', ciId: 'c1' });
    expect(matcherOf(draftOfEvent(rest).conditions)).toMatchObject({ source: 'zabbix' });
  });
  test('of a CI offers what its failure reaches', () => {
    const { conditions, suggestions } = draftOfCi({ _id: 'c1', name: 'sw-1' });
    expect([matcherOf(conditions), matcherOf(suggestions)]).toEqual([{ ciId: 'c1' }, { below: 'c1' }]);
  });
  test('of several CIs names them, and is edited with all of them', () => {
    const cis = ['c1', 'c2'].map((id) => ({ id, name: `${id}-name` }));
    const { what, conditions } = draftOfCis('2 CIs of Shop', cis);
    expect([what, matcherOf(conditions)]).toEqual(['2 CIs of Shop', { ciIds: ['c1', 'c2'] }]);
    expect(matcherOf(draftOfCis('1 CI of Shop', cis.slice(0, 1)).conditions)).toEqual({ ciId: 'c1' });
  });
  test('of nothing is none, and a malformed label is named', () => {
    expect(matcherOf(emptyDraft().conditions)).toBeNull();
    expect(() => matcherOf([{ name: 'labels', value: 'db' }])).toThrow('“db”');
    expect(() => bodyOf(emptyDraft(), 0, local)).toThrow('at least one condition');
  });
  test('that is edited keeps all its parts', () => {
    const silence = {
      id: 'SIL-1',
      state: 'planned' as const,
      matcher: {
        ciIds: ['c1', 'c2'],
        severity: ['minor' as const, 'info' as const],
        labels: [labelOf('a!="b"') ?? never()],
      },
      startsAt: new Date(at('2026-12-01T02:00')).toISOString(),
      endsAt: new Date(at('2026-12-31T02:00')).toISOString(),
      recurrence: { weekdays: ['sun' as const], from: '02:00', to: '04:00', zone },
      reason: 'Patches',
      createdBy: { _id: 'u', username: 'ann', name: 'Ann' },
      caught: 0,
    };
    const now = at('2026-11-30T00:00');
    const names = new Map([
      ['c1', 'sw-1'],
      ['c2', 'sw-2'],
    ]);
    const edited = draftOfSilence(silence, names, local, { now, isCopy: false });
    const { matcher, startsAt, endsAt, recurrence, reason } = silence;
    expect(bodyOf(edited, now, local)).toEqual({ matcher, startsAt, endsAt, recurrence, reason });
    expect(edited.conditions[0]).toEqual({ name: 'ciId', value: 'c1,c2', shown: ['sw-1', 'sw-2'] });
    const copy = draftOfSilence(silence, names, local, { now, isCopy: true });
    expect(copy.id).toBeUndefined();
    expect(bodyOf(copy, now, local).endsAt).toBe(new Date(at('2026-11-30T02:00')).toISOString());
  });
  test('that recurs has a weekday', () => {
    const draft = { ...draftOfEvent(event), weekly: { ...newWeekly(zone), weekdays: ['sun', 'mon'] } };
    expect(bodyOf(draft, 0, local).recurrence?.weekdays).toEqual(['mon', 'sun']);
    expect(() => bodyOf({ ...draft, weekly: { ...newWeekly(zone), weekdays: [] } }, 0, local)).toThrow('weekday');
  });
});

const never = (): never => {
  throw new Error('no label');
};

describe('the end of a silence', () => {
  test.each([
    ['2h', '', '2026-11-28T05:00', '2026-11-28T07:00'],
    ['2h', '2026-11-29T02:00', '2026-11-28T05:00', '2026-11-29T04:00'],
    ['morning', '', '2026-11-28T05:00', '2026-11-28T08:00'],
    ['morning', '', '2026-11-28T09:00', '2026-11-29T08:00'],
    ['morning', '', '2026-10-24T09:00', '2026-10-25T08:00'],
    ['own', '', '2026-11-28T09:00', '2026-12-01T02:00'],
  ] as const)('%s, start %j, from %s is %s', (length, startsAt, now, end) => {
    expect(timesOf({ startsAt, length, endsAt: '2026-12-01T02:00' }, at(now), local).end).toBe(at(end));
  });
  test('no time is none', () => expect(timesOf({ startsAt: '', length: 'own', endsAt: '' }, 0, local).end).toBeNull());
});
