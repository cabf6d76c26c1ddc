import { describe, expect, test } from '@jest/globals';
import { localText, zonedMs } from '#console/text/zoned-time.ts';
import { endOf, lastingWords, matcherOf, subjectOfEvent } from './silence-subject.ts';

test.each([
  ['Disk full (97 %) on /var', 'Disk full on var'],
  ['SIP registration', 'SIP registration'],
  ['12:00 5xx 10.0.0.1', ''],
])('of the title %j these words last: %j', (title, words) => expect(lastingWords(title)).toBe(words));

describe('a silence', () => {
  const event = { title: 'SIP registration lost 3 times', hostname: 'pet-voip', source: 'zabbix' };
  const on = (subject: ReturnType<typeof subjectOfEvent>) =>
    new Set(subject.parts.filter(({ isOn }) => isOn).map(({ name }) => name));

  test('of an event matches its problem on its host', () => {
    const subject = subjectOfEvent(event);
    expect(matcherOf(subject.parts, on(subject))).toEqual({ title: 'SIP registration lost times', host: 'pet-voip' });
  });
  test('of an event without a host matches its CI, else its source', () => {
    const { hostname: _host, ...rest } = event;
    const bound = subjectOfEvent({ ...rest, ciId: { _id: 'c1', name: 'pet-voip', type: 'vm' } });
    expect(matcherOf(bound.parts, on(bound))).toEqual({ title: 'SIP registration lost times', ciId: 'c1' });
    const nowhere = subjectOfEvent(rest);
    expect(matcherOf(nowhere.parts, on(nowhere))).toEqual({ title: 'SIP registration lost times', source: 'zabbix' });
  });
  test('of nothing is none', () => expect(matcherOf(subjectOfEvent(event).parts, new Set())).toBeNull());
});

describe('the end of a silence', () => {
  const zone = 'Europe/Berlin';
  const local = { toLocal: (ms: number) => localText(ms, zone), toMs: (text: string) => zonedMs(text, zone) };
  const at = (text: string): number => zonedMs(text, zone) ?? Number.NaN;
  test.each([
    ['2h', '2026-11-28T05:00', '2026-11-28T07:00'],
    ['morning', '2026-11-28T05:00', '2026-11-28T08:00'],
    ['morning', '2026-11-28T09:00', '2026-11-29T08:00'],
    ['morning', '2026-10-24T09:00', '2026-10-25T08:00'],
    ['own', '2026-11-28T09:00', '2026-12-01T02:00'],
  ] as const)('%s from %s is %s', (length, now, end) => {
    expect(endOf(length, at(now), '2026-12-01T02:00', local)).toBe(at(end));
  });
  test('no time is none', () => expect(endOf('own', 0, '', local)).toBeNull());
});
