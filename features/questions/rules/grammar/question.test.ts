import { describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { rowsOf } from '#test/setup/text-table.ts';
import type { Query } from '../query.ts';
import { readQuestion } from './question.ts';
import { Sentence } from './sentence.ts';
import { corrected, isOneOff } from './tokens.ts';
import { queryWords } from './told-for-tests.ts';

/** A Monday. */
const now = Date.parse('2026-11-23T22:26:10.000Z');
const names = new Map([
  ['online shop', 'service'],
  ['checkout', 'service'],
  ['status', 'service'],
  ['application', 'ci_type'],
  ['atm', 'ci_type'],
] as const);
const read = (question: string) => readQuestion(question, { now, zone: 'UTC', names });

const told = (query: Query | null): string => queryWords(query, now);

const UNDERSTOOD = rowsOf(`
  How many critical alerts did we have last week? => events severity=critical 11-16T00:00..11-23T00:00
  Which host had the most alarms yesterday? => events by host 11-22T00:00..11-23T00:00 desc 1
  Which hosts had the most alarms? => events by host desc
  Top 5 noisiest sources => events by source desc 5
  top three services by incidents => incidents by service desc 3
  fewest notifications by environment => events by environment asc
  noisiest host => events by host desc 1
  busiest hour yesterday => events by hour 11-22T00:00..11-23T00:00 desc 1
  most common severity => events by severity desc 1
  what are the most frequent alerts => events by signature desc
  List hosts by number of alerts => events by host desc
  Show me outages by service this month => incidents by service 11-01T00:00..11-23T22:26
  open P1 incidents => incidents severity=critical status=open+acknowledged
  sev2 and sev-3 events => events severity=major+minor
  severity 1 events => events severity=critical
  high priority alerts => events severity=major
  major or above => events severity=critical+major
  alerts except info => events severity=critical+major+minor+warning
  non-critical alerts => events severity=major+minor+warning+info
  How many open alerts are there right now? => open_events
  what's open? => open_events
  unacknowledged critical alerts => open_events severity=critical status=open
  resolved alerts yesterday => events status=resolved 11-22T00:00..11-23T00:00
  raw alerts including duplicates from zabbix => occurrences source=zabbix
  total volume of alerts => occurrences
  alert volume per hour today => events by hour 11-23T00:00..11-23T22:26
  What is the MTTR for checkout in October? => mttr service=checkout 10-01T00:00..11-01T00:00
  How long does it take to resolve critical alerts? => mttr severity=critical
  which source resolves slowest => mttr by source desc 1
  mean time to acknowledge by source => mtta by source
  are we acking faster than the week before? => mtta compared
  what share of alerts was correlated => correlated_share
  dedup ratio by source => dedup_ratio by source
  how well does deduplication work => dedup_ratio
  number of CIs by type => cis by ci_type
  How many servers do we have? => cis ci_type=server
  virtual machines in staging => cis environment=staging ci_type=virtual_machine
  How many relationships are there? => relationships
  Which services are unhealthy? => service_health by service asc
  health of the Online Shop => service_health service=Online Shop
  how's checkout doing? => service_health service=checkout
  worst service health => service_health by service asc 1
  how many deployments happened on Monday? => changes text=deploy 11-23T00:00..11-23T22:26
  AI cost per day last month => ai_cost by day 10-01T00:00..11-01T00:00
  events on web-01 and "db-07" => events ci=web-01+db-07
  alerts from the payment gateway service => events service=payment gateway
  cpu alerts on databases in staging => events environment=staging ci_type=database text=cpu
  alerts about disk full in prod => events environment=production text=disk full
  alerts with "out of memory" => events text=out of memory
  alerts on network switches => events ci_type=switch
  zabbix vs nagios alerts => events source=zabbix+nagios by source
  Compare critical incidents this week with last week => incidents severity=critical 11-23T00:00..11-23T22:26 compared
  Did alerts increase compared with the previous month? => events 10-23T22:26..11-23T22:26 compared
  Are there more alerts than yesterday? => events 11-23T00:00..11-23T22:26 compared
  incidents week over week => incidents compared
  alerts week by week since october => events by week 10-01T00:00..11-23T22:26
  daily trend of alerts for October => events by day 10-01T00:00..11-01T00:00
  which app had the most alerts => events ci_type=application by ci desc 1
  noisiest atms => events ci_type=atm by ci desc 1
  incidents by host type => incidents by ci_type
`);

const understands = (question: string, expected: string): void => {
  const { query, notUnderstood } = read(question);
  expect([told(query), notUnderstood]).toEqual([expected, []]);
};

describe('what is said around and about a question', () => {
  test.each(
    rowsOf(`
  alerts last week, I mean last month => events 10-01T00:00..11-01T00:00
  alerts yesterday, sorry, today => events 11-23T00:00..11-23T22:26
  incidents in September, make that October => incidents 10-01T00:00..11-01T00:00
  alerts on Friday, Saturday actually => events 11-21T00:00..11-22T00:00
  alerts yesterday, i.e. since 6am yesterday => events 11-22T06:00..11-23T22:26
  critical alerts last month, no, last week by source => events severity=critical by source 11-16T00:00..11-23T00:00
  alerts overnight, since 10pm yesterday I mean => events 11-22T22:00..11-23T22:26
`),
  )('a range that is taken back: %s', understands);

  test.each(
    rowsOf(`
  checkout and status service side by side: incidents this month => incidents service=checkout+status by service 11-01T00:00..11-23T22:26
  zabbix and nagios next to each other, alerts last week => events source=zabbix+nagios by source 11-16T00:00..11-23T00:00
  zabbix and nagios: alerts each => events source=zabbix+nagios by source
  alerts for each of production and staging => events environment=production+staging by environment
  alerts separately by host => events by host
  mttr for checkout and online shop separately in October => mttr service=online shop+checkout by service 10-01T00:00..11-01T00:00
  production and staging, head to head: open alerts => open_events environment=production+staging by environment
  critical and major alerts individually this week => events severity=critical+major by severity 11-23T00:00..11-23T22:26
  alerts today and yesterday side by side => events 11-23T00:00..11-23T22:26 compared
`),
  )('one row for each of what is named: %s', understands);

  test.each(
    rowsOf(`
  service health list, lowest on top => service_health by service asc
  alerts by host, biggest pile first => events by host desc
  hosts with alerts, worst first => events by host desc
  alerts by source, biggest last => events by source asc
  alerts per environment in descending order => events by environment desc
  sources by alerts, highest to lowest => events by source desc
  top 5 hosts by alerts, highest first => events by host desc 5
  which host was the worst last week => events by host 11-16T00:00..11-23T00:00 desc 1
`),
  )('an order of all rows: %s', understands);

  test.each(
    rowsOf(`
  alerts by source last week, and how was it the week before that => events by source 11-16T00:00..11-23T00:00 compared
  incidents yesterday, and the day before that => incidents 11-22T00:00..11-23T00:00 compared
  critical alerts in October and how was it in September => events severity=critical 10-01T00:00..11-01T00:00 compared
  mttr last month, what about the month before => mttr 10-01T00:00..11-01T00:00 compared
  events of the last 7 days and how many the week before => events compared
  dedup ratio this week, and how did it look last week? => dedup_ratio 11-23T00:00..11-23T22:26 compared
  alerts the day before yesterday => events 11-21T00:00..11-22T00:00
`),
  )('the same again, earlier: %s', understands);

  test.each(
    rowsOf(`
  Dear colleagues, incidents in October by severity. Many thanks, Ingrid => incidents by severity 10-01T00:00..11-01T00:00
  Hi Tom, how many critical alerts yesterday? Thanks, Anna Maria => events severity=critical 11-22T00:00..11-23T00:00
  Good morning! alerts by source last week. Kind regards, J Smith => events by source 11-16T00:00..11-23T00:00
  hey team, open incidents please. Cheers => incidents status=open+acknowledged
  morning all, mttr for checkout last week, thx => mttr service=checkout 11-16T00:00..11-23T00:00
  Dear all please show open incidents per service. Best regards, Ingrid Larsen => incidents status=open+acknowledged by service
  Hi Zabbix alerts, by host => events source=zabbix by host
  Hello Checkout, alerts by host => events service=Checkout by host
`),
  )('greetings and signatures: %s', understands);

  test.each(
    rowsOf(`
  for the service review on Friday, incidents in October by severity => incidents by severity 10-01T00:00..11-01T00:00
  For the CAB tomorrow: changes since 1 November => changes 11-01T00:00..11-23T22:26
  I have a board meeting on Monday, number of incidents last quarter => incidents 07-01T00:00..10-01T00:00
  for our weekly ops meeting on Thursday at 10:00 I need open alerts by source => open_events by source
  for tomorrow's stand-up: alerts overnight => events 11-22T18:00..11-23T06:00
  ahead of the audit next week, changes per week since october => changes by week 10-01T00:00..11-23T22:26
  For the meeting with Bosch on 24 November at 9:00: incidents in October => incidents 10-01T00:00..11-01T00:00
  incidents for the October report => incidents 10-01T00:00..11-01T00:00
  alerts for the review service on Friday => events service=review 11-20T00:00..11-21T00:00
`),
  )('what an answer is wanted for: %s', understands);

  test.each([
    'Who approved the firewall change on Monday?',
    'who acknowledged the critical alerts yesterday',
    'Can you tell me who resolved most incidents?',
    'Who is responsible for checkout?',
    'incidents by whom last week',
    'and who was it that closed the open alerts',
  ])('people are not counted: %s', (question) => {
    const { query, notUnderstood } = read(question);
    expect(query).toBeNull();
    expect(notUnderstood.join(' ')).toMatch(/who/i);
  });

  test.each(
    rowsOf(`
  how many criticals yesterday, I mean majors => mean
  alerts in october and in march => in march
  incidents yesterday and the week before => week before
  side by side alerts => the comparison
  alerts per day, descending => descending
  who sent the most alerts => who sent
  alerts by severity, most severe first => severe first
  alerts from Monday to Thursday, I mean Friday => Friday
  Morning alerts by source => Morning
  hi Tom alerts by source => Tom
  alerts during the review on Friday => review
  for the call center, alerts yesterday => call center
  how many alerts in October and how many incidents in September => incidents
`),
  )('and what may be meant otherwise is named: %s', (question, words) => {
    expect(read(question).notUnderstood.join(' | ')).toContain(words);
  });
});

describe('questions', () => {
  test.each(UNDERSTOOD)('%s', understands);

  test.each(
    rowsOf(`
  how many allerts yesteday by sevrity => events by severity 11-22T00:00..11-23T00:00
  critcal incidnets last wek => incidents severity=critical
  alarms form zabbix sinse monday => events source=zabbix 11-23T00:00..11-23T22:26
`),
  )('mistyped: %s', (question, expected) => {
    expect(told(read(question).query)).toBe(expected);
  });

  test.each(
    rowsOf(`
  alerts by team => by team
  alerts per month => per month
  alerts by source and severity => and severity
  number of alerts with more than 10 occurrences => 10 occurrences
  critical services with open alerts => critical services
  how many hosts had critical alerts => how many hosts
  alerts next week => next week
  more alerts than usual => than usual
  alerts on 03/11/2026 => 03/11/2026
  alerts that are not resolved by the night shift => night shift
  median time to resolve => median
  alerts in october and in march => in march
  cis by severity => cis
`),
  )('what is not said is named: %s', (question, words) => {
    expect(read(question).notUnderstood.join(' | ')).toContain(words);
  });

  test.each(
    rowsOf(`
  critical alerts excluding zabbix today => excluding zabbix
  databases without backup => without backup
  How many CIs have no relationship? => no relationship
  Which events were never acknowledged? => never acknowledged
  alerts except resolved => except resolved
  alerts not from zabbix yesterday => not from
  which hosts did not have alerts last week => not have
  services without critical alerts => without critical
  alerts by service other than checkout => other than checkout
  alerts of non-production => non-production
  alerts that aren't of production => not of
  exclude zabbix, alerts by source => exclude zabbix
`),
  )('an exclusion that no filter says is never read as its opposite: %s', (question, words) => {
    const { query, notUnderstood } = read(question);
    expect(query).toBeNull();
    expect(notUnderstood.join(' | ')).toContain(words);
  });

  test.each([
    'What is the weather like?',
    'Who is on call?',
    'How many customers called?',
    'hello',
    '',
    '???',
    'CPU usage of web-01 right now',
    'p95 response time of the portal',
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
    const words = UNDERSTOOD.flatMap(([question = '']) => question.split(' '));
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

  test.each([
    'alrets by hsots since last wek compared with foo-bar 3 days ago ',
    'the most alerts by host, not zabbix, yesterday or today: who did ',
    'versus a, next day of tomorrow; not by "a" each last an hour ',
    'a b c d e f g h i j k l ',
  ])('the more words, the more looks at words, and not more than that: %s', (twelve) => {
    const looks = jest.spyOn(Sentence.prototype, 'isFree');
    const looksAt = (times: number): number => {
      looks.mockClear();
      read(twelve.repeat(times));
      return looks.mock.calls.length;
    };
    // Of a question 120 words are read.
    expect(looksAt(8) / looksAt(1)).toBeLessThan(10);
    looks.mockRestore();
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
      'hots',
      'hosts',
      'alerts',
      'dayz',
      'host5',
    ]);
  });
});
