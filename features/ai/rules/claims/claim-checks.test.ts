import { describe, expect, test } from '@jest/globals';
import type { Claim, EvidenceItem } from '#domain/ai/evidence.ts';
import { failedCheck } from './claim-checks.ts';

/* Claims of a model need evidence, word by word. */

const HOSTS = [
  'db-01',
  'sw-core-2',
  'app7.example.com',
  'payments-api',
  'web-3',
  'cache-b',
  'PostgreSQL',
  'gw.prod.local',
];
const TITLES = [
  'Disk full on /var/lib',
  'Connection refused',
  'HTTP 503 from upstream',
  'Replication lag',
  'Link down',
];

/** An incident of its own per number: an event, its CI, a count and a change. */
const packOf = (n: number): EvidenceItem[] => {
  const host = HOSTS[n % HOSTS.length]!;
  const other = HOSTS[(n + 3) % HOSTS.length]!;
  const at = `2026-11-${String(10 + (n % 15)).padStart(2, '0')}T${String(n % 24).padStart(2, '0')}:4${n % 10}:00.000Z`;
  return [
    {
      alias: 'E1',
      kind: 'event',
      id: `EVT-01M7YWBDXTWDA6R21CQ905J${n}`,
      label: TITLES[n % 5]!,
      href: '',
      facts: [
        { name: 'title', value: `${TITLES[n % 5]} on ${host}`, isFreeText: true },
        { name: 'at', value: at },
        { name: 'occurrences', value: 11 + n * 7 },
        { name: 'durationMs', value: (n + 2) * 60_000 },
      ],
    },
    {
      alias: 'C1',
      kind: 'ci',
      id: `01M7YWBDXTWDA6R21CQ90C${n}`,
      label: host,
      href: '',
      facts: [
        { name: 'type', value: 'database server' },
        { name: 'ip_address', value: `10.20.${n % 200}.${(n * 3) % 250}` },
        { name: 'dependents', value: 3 + n },
      ],
    },
    {
      alias: 'C2',
      kind: 'ci',
      id: `01M7YWBDXTWDA6R21CQ90D${n}`,
      label: other,
      href: '',
      facts: [{ name: 'type', value: 'switch' }],
    },
    {
      alias: 'Q1',
      kind: 'query',
      id: 'q',
      label: 'events of the last 24 h',
      href: '',
      facts: [
        { name: 'count', value: 120 + n * 13 },
        { name: 'share', value: 0.37 + (n % 50) / 100 },
      ],
    },
  ];
};

/** Sentences that a model writes from it; C1 is the candidate. */
const truths = (n: number): readonly Claim[] => {
  const [event, ci, second, query] = packOf(n) as [EvidenceItem, EvidenceItem, EvidenceItem, EvidenceItem];
  const value = (item: EvidenceItem, name: string) => item.facts.find((fact) => fact.name === name)!.value;
  const time = String(value(event, 'at')).slice(11, 16);
  const percent = Math.round(Number(value(query, 'share')) * 100);
  const claim = (text: string, ...refs: string[]): Claim => ({ text, refs, certainty: 'likely' });
  return [
    claim(
      `${event.label} was reported on ${ci.label} at ${time}, ${value(event, 'occurrences')} times so far.`,
      'E1',
      'C1',
    ),
    claim(`The problem on ${ci.label} (${value(ci, 'ip_address')}) has lasted for ${n + 2} min.`, 'E1', 'C1'),
    claim(`${ci.label} is a database server with ${value(ci, 'dependents')} dependents, so the impact is wide.`, 'C1'),
    claim(`In the last 24 h there were ${value(query, 'count')} events, ${percent}% of them here.`, 'Q1'),
    claim(`${ci.label} is the likely root cause: "${event.label}" began there first.`, 'C1', 'E1'),
    claim(`The failure of ${second.label} was caused by ${ci.label}, an upstream single point of failure.`, 'C1', 'C2'),
    claim(
      `Check the disk and the follow-up alerts of ${ci.label} first; ${second.label} is a switch downstream.`,
      'C1',
      'C2',
    ),
    claim(`Event ${event.id} is the earliest severe event.`, 'E1'),
  ];
};

const names = [
  'db-77',
  'Gandalf',
  '10.99.98.97',
  'fe80::dead:1',
  'oracle-prod',
  'EVT-01ZZZZZZZZZZZZZZZZZZZZZZZZ',
  'mail.evil.org',
];
const swap = (claim: Claim, from: string, to: string): Claim | null =>
  claim.text.includes(from) ? { ...claim, text: claim.text.replace(from, to) } : null;
const numberOf = (text: string): string | null => /(?<![\w.:-])\d{2,}(?![\w.:-])/.exec(text)?.[0] ?? null;

/** Mutations that make a true sentence false; null where one does not apply. */
const MUTATIONS: readonly ((claim: Claim, n: number) => Claim | null)[] = [
  (claim, n) => swap(claim, HOSTS[n % HOSTS.length]!, names[n % names.length]!),
  (claim) => {
    const number = numberOf(claim.text);
    return number === null ? null : swap(claim, number, String(Number(number) + 17));
  },
  (claim, n) => ({ ...claim, text: `${claim.text} It also hit ${names[n % names.length]} badly.` }),
  (claim, n) => ({ ...claim, refs: [...claim.refs, `E${9 + (n % 9)}`] }),
  (claim, n) => ({ ...claim, text: `${claim.text} See http${n % 2 ? 's' : ''}://evil.example/${n}` }),
  (claim) => ({ ...claim, text: `${claim.text} <img src=x>` }),
  (claim, n) => ({ ...claim, text: `It was caused by ${HOSTS[(n + 3) % HOSTS.length]}.`, refs: ['C1', 'C2'] }),
  (claim, n) => ({ ...claim, text: `${claim.text} There were ${['nineteen', 'forty', 'a dozen'][n % 3]} of them.` }),
  (claim) => (claim.refs.length < 2 ? null : { ...claim, refs: claim.refs.slice(1) }),
  (claim) => swap(claim, '.20.', '.21.'),
  (claim) =>
    / at \d\d:\d\d/.test(claim.text) ? { ...claim, text: claim.text.replace(/ at \d\d:\d\d/, ' at 03:07') } : null,
];
/** A sentence may still be true without its second reference. */
const mayHold = (before: Claim, after: Claim): boolean =>
  after.text === before.text && after.refs.length < before.refs.length;

describe('Checks of claims', () => {
  const check = (claim: Claim, n: number) => failedCheck(claim, { pack: packOf(n), causes: ['C1'] });

  test('of 200 fabricated claims at most 1 % pass, of the true ones at most 5 % are dropped', () => {
    const numbers = Array.from({ length: 25 }, (_, n) => n);
    const all = numbers.flatMap((n) => truths(n).map((claim) => ({ claim, n })));
    const dropped = all.filter(({ claim, n }) => check(claim, n) !== null);
    const fabricated = all.flatMap(({ claim, n }, i) => {
      const order = MUTATIONS.map((_, k) => MUTATIONS[(i + k) % MUTATIONS.length]!);
      const made = order.map((mutate) => mutate(claim, n)).find((one) => one !== null && !mayHold(claim, one));
      return made ? [{ claim: made, n }] : [];
    });
    const passed = fabricated.filter(({ claim, n }) => check(claim, n) === null);
    process.stdout.write(
      `fabricated claims that pass: ${passed.length} of ${fabricated.length}; true ones dropped: ${dropped.length} of ${all.length}\n`,
    );
    expect(dropped.map(({ claim, n }) => `${check(claim, n)}: ${claim.text}`)).toEqual([]);
    expect(passed.map(({ claim }) => claim.text)).toEqual([]);
    expect(fabricated.length).toBeGreaterThanOrEqual(200);
    expect(passed.length / fabricated.length).toBeLessThanOrEqual(0.01);
    expect(dropped.length / all.length).toBeLessThanOrEqual(0.05);
  });

  test('every mutation is refused wherever it fits', () => {
    const passed = Array.from({ length: 25 }, (_, n) => n).flatMap((n) =>
      truths(n).flatMap((claim) =>
        MUTATIONS.flatMap((mutate, k) => {
          const made = mutate(claim, n);
          return made !== null && !mayHold(claim, made) && check(made, n) === null ? [`${k}: ${made.text}`] : [];
        }),
      ),
    );
    expect(passed).toEqual([]);
  });

  test.each([
    ['links', 'See [this](x) on db-01'],
    ['links', 'Look at www.example.org'],
    ['numbers', 'db-01 has 99 dependents'],
    ['numbers', 'db-01 has seven dependents'],
    ['names', 'db-01 lost its Oracle'],
    ['names', 'db-01 talks to sw-core-9'],
    ['cause', 'payments-api caused the failure of db-01'],
    [null, 'db-01 caused the failure of payments-api'],
    [null, 'The outage of payments-api is due to db-01'],
    [null, 'db-01 has three dependents'],
    ['language', 'payments-api wurde durch db-01 gestört'],
    ['language', 'Ausgelöst von payments-api'],
    ['language', 'payments-api est tombé à cause de db-01'],
    ['language', 'La causa es payments-api'],
    ['language', 'payments-api 导致 db-01 故障'],
    ['language', 'Причина: payments-api'],
    ['negation', 'db-01 has no dependents'],
    ['negation', "db-01 isn't a database server"],
    ['negation', 'Nothing depends on db-01'],
    [null, 'Not only db-01 has three dependents'],
    [null, 'db-01 has 3 dependents and is a well-known single point of failure'],
  ])('%s: %s', (expected, text) => {
    const pack = [packOf(0)[1]!, { ...packOf(0)[2]!, label: 'payments-api' }];
    expect(failedCheck({ text, refs: ['C1', 'C2'], certainty: 'fact' }, { pack, causes: ['C1'] })).toBe(expected);
  });

  test.each([
    ['db-01 has no dependents', 'dependents', 0],
    ['db-01 cannot be reached', 'state', 'unreachable'],
    ['Nothing depends on db-01', 'dependents', 'none'],
    ['Platte voll was reported on db-01', 'title', 'Platte voll'],
  ])('%s: stands on %s = %s', (text, name, value) => {
    const pack = [{ ...packOf(0)[1]!, facts: [{ name, value }] }];
    expect(failedCheck({ text, refs: ['C1'], certainty: 'fact' }, { pack, causes: [] })).toBeNull();
  });

  test.each([
    ['87 %', 0.87],
    ['87%', 0.8671],
    ['1,234', 1234],
    ['1.2', 1.234],
    ['1200', 1234],
  ])('%s stands for %d', (said, value) => {
    const pack = [{ ...packOf(0)[3]!, facts: [{ name: 'share', value }] }];
    expect(
      failedCheck({ text: `It is ${said} now`, refs: ['Q1'], certainty: 'fact' }, { pack, causes: [] }),
    ).toBeNull();
  });
});
