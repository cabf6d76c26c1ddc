import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Query } from '../query.ts';
import { readQuestion } from './question.ts';
import { corrected, isOneOff } from './spelling.ts';

/** A Monday. */
const now = Date.parse('2026-11-23T22:26:10.000Z');
const names = new Map([
  ['online shop', 'service'],
  ['checkout', 'service'],
  ['status', 'service'],
] as const);
const read = (question: string) => readQuestion(question, { now, zone: 'UTC', names });

/** What a query says beside the usual: the last seven days, of everything. */
const told = (query: Query | null): string => {
  if (query === null) return 'nothing';
  const { metric, filters, groupBy, range, compareTo, sort, limit } = query;
  const time = (at: number) => new Date(at).toISOString().slice(5, 16);
  const usual = range !== null && range.to === now && range.from === now - 7 * 86_400_000;
  return [
    metric,
    ...Object.entries(filters).map(([name, values]) => `${name}=${[values].flat().join('+')}`),
    groupBy && `by ${groupBy}`,
    range === null ? null : usual ? null : `${time(range.from)}..${time(range.to)}`,
    compareTo && 'compared',
    sort,
    limit,
  ]
    .filter((part) => part !== null)
    .join(' ');
};

const UNDERSTOOD: readonly (readonly [string, string])[] = [
  ['How many critical alerts did we have last week?', 'events severity=critical 11-16T00:00..11-23T00:00'],
  ['Which host had the most alarms yesterday?', 'events by ci 11-22T00:00..11-23T00:00 desc 1'],
  ['Which hosts had the most alarms?', 'events by ci desc'],
  ['Top 5 noisiest sources', 'events by source desc 5'],
  ['top three services by incidents', 'incidents by service desc 3'],
  ['fewest notifications by environment', 'events by environment asc'],
  ['noisiest host', 'events by ci desc 1'],
  ['busiest hour yesterday', 'events by hour 11-22T00:00..11-23T00:00 desc 1'],
  ['most common severity', 'events by severity desc 1'],
  ['what are the most frequent alerts', 'events by signature desc'],
  ['List hosts by number of alerts', 'events by ci desc'],
  ['Show me outages by service this month', 'incidents by service 11-01T00:00..11-23T22:26'],
  ['open P1 incidents', 'incidents severity=critical status=open'],
  ['sev2 and sev-3 events', 'events severity=major+minor'],
  ['severity 1 events', 'events severity=critical'],
  ['high priority alerts', 'events severity=major'],
  ['major or above', 'events severity=critical+major'],
  ['alerts except info', 'events severity=critical+major+minor+warning'],
  ['non-critical alerts', 'events severity=major+minor+warning+info'],
  ['How many open alerts are there right now?', 'open_events'],
  ["what's open?", 'open_events'],
  ['unacknowledged critical alerts', 'open_events severity=critical status=open'],
  ['resolved alerts yesterday', 'events status=resolved 11-22T00:00..11-23T00:00'],
  ['raw alerts including duplicates from zabbix', 'occurrences source=zabbix'],
  ['total volume of alerts', 'occurrences'],
  ['alert volume per hour today', 'events by hour 11-23T00:00..11-23T22:26'],
  ['What is the MTTR for checkout in October?', 'mttr service=checkout 10-01T00:00..11-01T00:00'],
  ['How long does it take to resolve critical alerts?', 'mttr severity=critical'],
  ['which source resolves slowest', 'mttr by source desc 1'],
  ['mean time to acknowledge by source', 'mtta by source'],
  ['are we acking faster than the week before?', 'mtta compared'],
  ['what share of alerts was correlated', 'correlated_share'],
  ['dedup ratio by source', 'dedup_ratio by source'],
  ['how well does deduplication work', 'dedup_ratio'],
  ['number of CIs by type', 'cis by ci_type'],
  ['How many servers do we have?', 'cis ci_type=server'],
  ['virtual machines in staging', 'cis environment=staging ci_type=virtual_machine'],
  ['How many relationships are there?', 'relationships'],
  ['Which services are unhealthy?', 'service_health by service asc'],
  ['health of the Online Shop', 'service_health service=Online Shop'],
  ["how's checkout doing?", 'service_health service=checkout'],
  ['worst service health', 'service_health by service asc 1'],
  ['how many deployments happened on Monday?', 'changes 11-23T00:00..11-23T22:26'],
  ['AI cost per day last month', 'ai_cost by day 10-01T00:00..11-01T00:00'],
  ['events on web-01 and "db-07"', 'events ci=web-01+db-07'],
  ['alerts from the payment gateway service', 'events service=payment gateway'],
  ['cpu alerts on databases in staging', 'events environment=staging ci_type=database text=cpu'],
  ['alerts about disk full in prod', 'events environment=production text=disk full'],
  ['alerts with "out of memory"', 'events text=out of memory'],
  ['alerts on network switches', 'events ci_type=switch'],
  ['zabbix vs nagios alerts', 'events source=zabbix+nagios by source'],
  [
    'Compare critical incidents this week with last week',
    'incidents severity=critical 11-23T00:00..11-23T22:26 compared',
  ],
  ['Did alerts increase compared with the previous month?', 'events 10-23T22:26..11-23T22:26 compared'],
  ['Are there more alerts than yesterday?', 'events 11-23T00:00..11-23T22:26 compared'],
  ['incidents week over week', 'incidents compared'],
  ['alerts week by week since october', 'events by week 10-01T00:00..11-23T22:26'],
  ['daily trend of alerts for October', 'events by day 10-01T00:00..11-01T00:00'],
  ['incidents by host type', 'incidents by ci_type'],
];

describe('questions', () => {
  test.each(UNDERSTOOD)('%s', (question, expected) => {
    const { query, notUnderstood } = read(question);
    expect([told(query), notUnderstood]).toEqual([expected, []]);
  });

  test.each([
    ['how many allerts yesteday by sevrity', 'events by severity 11-22T00:00..11-23T00:00'],
    ['critcal incidnets last wek', 'incidents severity=critical'],
    ['alarms form zabbix sinse monday', 'events source=zabbix 11-23T00:00..11-23T22:26'],
  ])('mistyped: %s', (question, expected) => {
    expect(told(read(question).query)).toBe(expected);
  });

  test.each([
    ['alerts by team', 'by team'],
    ['alerts per month', 'per month'],
    ['alerts by source and severity', 'and severity'],
    ['number of alerts with more than 10 occurrences', '10 occurrences'],
    ['critical services with open alerts', 'critical services'],
    ['how many hosts had critical alerts', 'how many hosts'],
    ['alerts next week', 'next week'],
    ['more alerts than usual', 'than usual'],
    ['alerts on 03/11/2026', '03/11/2026'],
    ['alerts that are not resolved by the night shift', 'night shift'],
    ['median time to resolve', 'median'],
    ['alerts in october and in march', 'in march'],
    ['cis by severity', 'cis'],
  ])('what is not said is named: %s', (question, words) => {
    expect(read(question).notUnderstood.join(' | ')).toContain(words);
  });

  test.each([
    ...['What is the weather like?', 'Who is on call?', 'How many customers called?', 'hello', '', '???'],
    ...['CPU usage of web-01 right now', 'p95 response time of the portal'],
  ])('that nothing here answers: %s', (question) => {
    expect(read(question).query).toBeNull();
  });

  test('words that may be names are told', () => {
    expect(read('alerts for billing and payments-api last week').unknown).toEqual(['billing', 'payments-api']);
  });

  test('a name that is a word of the language too is a name where it is called one', () => {
    expect(told(read('alerts of the status service').query)).toBe('events service=status');
    expect(told(read('alerts by status').query)).toBe('events by status');
  });

  test('no text throws, and what is read can be told', () => {
    const words = UNDERSTOOD.flatMap(([question]) => question.split(' '));
    const text = fc.oneof(
      fc.string({ maxLength: 200 }),
      fc.array(fc.constantFrom(...words), { maxLength: 25 }).map((all) => all.join(' ')),
    );
    fc.assert(
      fc.property(text, (question) => {
        expect(typeof told(read(question).query)).toBe('string');
      }),
      { numRuns: 300 },
    );
  });

  test('twice as many words take about twice as long', () => {
    const sentence = 'alrets by hsots since last wek compared with foo-bar 3 days ago ';
    const cost = (times: number): number => {
      const question = sentence.repeat(times);
      return Math.min(
        ...Array.from({ length: 5 }, () => {
          const start = process.cpuUsage().user;
          for (let i = 0; i < 20; i++) read(question);
          return process.cpuUsage().user - start;
        }),
      );
    };
    read(sentence);
    expect(cost(8)).toBeLessThan(8 * Math.max(cost(2), 1_000));
  });
});

describe('spelling', () => {
  test.each([
    ['alerts', 'alrets', true],
    ['alerts', 'allerts', true],
    ['alerts', 'alert', true],
    ['alerts', 'alorts', true],
    ['alerts', 'alorto', false],
    ['alerts', 'alerts', false],
    ['abcd', 'badc', false],
    ['abc', 'abcde', false],
  ])('%s and %s', (one, other, expected) => {
    expect([isOneOff(one, other), isOneOff(other, one)]).toEqual([expected, expected]);
  });

  test('short words, known ones and those with digits stay as they are', () => {
    const known = new Set(['hosts', 'alerts', 'days']);
    expect(['hots', 'hostz', 'alerts', 'dayz', 'host5'].map((word) => corrected(word, known))).toEqual([
      ...['hots', 'hosts', 'alerts', 'dayz', 'host5'],
    ]);
  });
});
