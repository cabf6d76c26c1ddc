import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Arrival, Commonness } from '#domain/correlation/records.ts';
import { SEVERITIES, severityRank } from '#domain/event/event.ts';
import type { Complaint } from '#domain/event/identity/complaint-kinds.ts';
import { KNOWN_PATTERNS } from '#domain/event/identity/known-patterns.ts';
import { above, arrivalOf, SETTINGS } from '#test/setup/merge-kit.ts';
import { calibratedConfidence, candidateOf, partsOf, rarityOf, scoreOf } from './candidate.ts';
import {
  addMember,
  type CauseFacts,
  causeOf,
  causesOf,
  EFFECTS_OF,
  explains,
  KINDS,
  nearnessSum,
  openCauses,
  replaceMember,
} from './causes.ts';

const weights = SETTINGS.rootCause;
/** Under `specified` each known pattern has its whole bonus, and confidence is that of the specification. */
const literal = { weights, profile: 'specified' } as const;
const calibrated = { weights, profile: 'calibrated' } as const;
const T = 1_000_000;

interface Given {
  id: string;
  s: number;
  ci?: string;
  sev?: Arrival['severity'];
  up?: string[];
  kind?: Complaint['kind'];
  known?: Complaint['known'];
  usual?: boolean;
  template?: string;
  commonness?: Commonness;
}

const factsOf = (
  { id, s, ci, sev, up = [], kind = 'unknown', known = null, usual = false, template = id, commonness = 0 }: Given,
  position: number,
): CauseFacts => ({
  arrival: arrivalOf({
    eventId: id,
    position,
    time: T + s * 1_000,
    ciId: ci ?? null,
    severity: sev ?? 'major',
    complaint: { kind, known },
    usual,
    template,
    commonness,
    system: ci ?? id,
  }),
  upstream: above(...up),
  weights,
});
const chosen = (...given: Given[]) => candidateOf(causesOf(given.map(factsOf)), literal)!;

/** switch ← db ← app: the incident of the style guide. */
const link: Given = { id: 'a-link', s: 0, ci: 'sw', sev: 'critical', kind: 'down', known: 'link_down' };
const db: Given = { id: 'b-db', s: 20, ci: 'db', sev: 'critical', kind: 'down', up: ['sw'] };
const app: Given = { id: 'c-app', s: 35, ci: 'app', sev: 'major', kind: 'errors', up: ['db', 'sw'] };

describe('the root-cause candidate', () => {
  test('the known pattern upstream of all wins, with the numbers of the specification', () => {
    const candidate = chosen(link, db, app);
    // Coverage (1 + 0.7) / 2, earliness 0.3, critical 0.1, known pattern 0.5; runner-up: 1 / 2 + 0.3·e^(−20/300) + 0.1.
    const score = 0.85 + 0.3 + 0.1 + 0.5;
    expect(candidate.eventId).toBe('a-link');
    expect(candidate.ciId).toBe('sw');
    expect(candidate.score).toBeCloseTo(score, 12);
    expect(candidate.reasoning).toBe('earliest_severe_event_upstream_dependency');
    expect(candidate.explains).toEqual([
      { ciId: 'db', hops: 1 },
      { ciId: 'app', hops: 2 },
    ]);
    expect(candidate.confidence).toBeCloseTo(0.2 + 0.5 + 0.29, 12);
    expect(candidate.alternatives.map(({ eventId }) => eventId)).toEqual(['b-db', 'c-app']);
    expect(candidate.alternatives[0]!.score).toBeCloseTo(0.5 + 0.3 * Math.exp(-20 / 300) + 0.1, 12);
    expect(candidate.alternatives[1]!.score).toBeCloseTo(0.3 * Math.exp(-35 / 300) + 0.07, 12);
  });

  test('not severe and explains others: upstream_dependency', () => {
    const deploy: Given = { id: 'd', s: 10, ci: 'db', sev: 'info', known: 'change' };
    const candidate = chosen({ ...app, s: 0, up: ['db'] }, deploy);
    expect(candidate.eventId).toBe('d');
    expect(candidate.reasoning).toBe('upstream_dependency');
    expect(candidate.score).toBeCloseTo(1 + 0.3 * Math.exp(-10 / 300) + 0 + 0.5, 12);
    expect(candidate.confidence).toBeCloseTo(0.99, 12);
  });

  test('severe and explains nothing: earliest_severe_event', () => {
    const candidate = chosen({ id: 'x', s: 5, ci: 'one', sev: 'critical' }, { id: 'y', s: 0, ci: 'two', sev: 'minor' });
    expect(candidate.eventId).toBe('x');
    expect(candidate.reasoning).toBe('earliest_severe_event');
    const [ours, theirs] = [0.3 * Math.exp(-5 / 300) + 0.1, 0.3 + 0.02];
    expect(candidate.score).toBeCloseTo(ours, 12);
    expect(candidate.confidence).toBeCloseTo(0.2 + 0.29 * ((ours - theirs) / 0.5), 12);
  });

  test('neither: earliest_event, ties to the earliest id', () => {
    const candidate = chosen({ id: 'y', s: 0, sev: 'warning' }, { id: 'x', s: 0, sev: 'info' });
    expect(candidate).toMatchObject({ eventId: 'x', ciId: null, reasoning: 'earliest_event', explains: [] });
    expect(candidate.confidence).toBeCloseTo(0.2, 12);
  });

  test('below two member CIs the sum is 0', () => {
    const candidate = chosen(link, { ...link, id: 'z', s: 1 });
    expect(candidate.score).toBeCloseTo(0.9, 12);
    expect(candidate.reasoning).toBe('earliest_severe_event');
  });

  test.each([
    ['noticed 300 s after its effect', { ...link, known: null, s: 320 }, 'earliest_severe_event_upstream_dependency'],
    ['noticed 301 s after its effect', { ...link, known: null, s: 321 }, 'earliest_severe_event'],
  ] as const)('%s', (_, upper, reasoning) => {
    const given = [{ ...upper }, { ...db, sev: 'minor' } as Given].map(factsOf);
    const candidate = candidateOf(causesOf(given), { ...literal, weights: { ...weights, earliness: 0 } })!;
    expect(candidate.reasoning).toBe(reasoning);
  });

  test.each([
    ['as severe', { sev: 'major', kind: 'down' }, true],
    ['less severe', { sev: 'minor', kind: 'down' }, false],
    ['less severe, but a known pattern', { sev: 'minor', kind: 'down', known: 'power' }, true],
    ['less severe, but a change', { sev: 'info', kind: 'unknown', known: 'change' }, true],
    ['errors below latency', { sev: 'major', kind: 'latency' }, false],
    ['errors below errors', { sev: 'major', kind: 'errors' }, true],
    ['errors below traffic', { sev: 'critical', kind: 'traffic' }, false],
    ['errors below something unknown', { sev: 'major', kind: 'unknown' }, true],
  ] as const)('explains: %s', (_, upper, explains) => {
    const candidate = candidateOf(
      causesOf(
        [
          { ...link, known: null, ...upper },
          { ...app, s: 100, up: ['sw'] },
        ].map(factsOf),
      ),
      { ...literal, weights: { ...weights, earliness: 10 } },
    )!;
    expect(candidate.eventId).toBe('a-link');
    expect(candidate.explains).toHaveLength(explains ? 1 : 0);
  });

  test('seven hops are too far', () => {
    const path = ['1', '2', '3', '4', '5', 'sw'];
    expect(chosen(link, { ...db, up: path }).explains).toEqual([{ ciId: 'db', hops: 6 }]);
    expect(chosen(link, { ...db, up: ['0', ...path] }).explains).toEqual([]);
  });

  test('a pattern that the tenant has switched off brings no bonus, a change explains all the same', () => {
    const off = { ...weights, knownPatterns: [] };
    const given = [{ ...app, s: 0, up: ['db'] }, { id: 'd', s: 0, ci: 'db', sev: 'info', known: 'change' } as Given];
    const candidate = candidateOf(causesOf(given.map(factsOf).map((facts) => ({ ...facts, weights: off }))), {
      ...literal,
      weights: off,
    })!;
    expect(candidate.score).toBeCloseTo(1.3, 12);
  });

  test('a usual event is neither candidate nor member CI', () => {
    const candidate = chosen({ ...link, usual: true }, db, { ...app, up: ['db', 'sw'] });
    expect(candidate.eventId).toBe('b-db');
    expect(candidate.score).toBeCloseTo(1 + 0.3 + 0.1, 12);
    expect(candidate.alternatives.map(({ eventId }) => eventId)).toEqual(['c-app']);
  });

  test('unless all are', () => expect(chosen({ ...link, usual: true }, { ...db, usual: true }).eventId).toBe('a-link'));

  test('the five next are named, also when all are alike', () => {
    const alike = Array.from({ length: 9 }, (_, i): Given => ({ ...db, id: `e${i}`, s: 9 - i }));
    const candidate = chosen(...alike);
    expect([candidate.eventId, ...candidate.alternatives.map(({ eventId }) => eventId)]).toEqual([
      'e8',
      'e7',
      'e6',
      'e5',
      'e4',
      'e3',
    ]);
  });

  test('without members there is none', () => expect(candidateOf(openCauses(), literal)).toBeNull());
});

describe('a cause is one of a kind', () => {
  /** A client's look-ups fail on so many hosts, while one name server is down. */
  const clients = (count: number): Given[] =>
    Array.from({ length: count }, (_, i) => ({
      id: `b${i}`,
      s: 10 + i,
      ci: `web-${i}`,
      kind: 'down',
      known: 'dns',
      template: 'look-ups fail',
    }));
  const scoreAmong = (count: number) =>
    candidateOf(causesOf([{ ...link, s: 900, known: null }, ...clients(count)].map(factsOf)), calibrated)!;

  test.each([
    [1, 0.5],
    [2, 0.25],
    [5, 0.1],
  ])('of %d systems that complain alike each has a bonus of %d', (count, bonus) => {
    expect(scoreAmong(count).score).toBeCloseTo(0.3 + 0.07 + bonus, 12);
  });

  test('one system that says it again is one', () => {
    const again = { ...clients(1)[0]!, id: 'c', s: 11 };
    const { score } = candidateOf(causesOf([...clients(1), again].map(factsOf)), calibrated)!;
    expect(score).toBeCloseTo(0.3 + 0.07 + 0.5, 12);
  });

  test('under `specified` all have it', () => expect(chosen(...clients(5)).score).toBeCloseTo(0.3 + 0.07 + 0.5, 12));
});

describe('what is common counts less by its time and its words', () => {
  test.each([
    [0, 0.3 + 0.5],
    [1, 0.75 * 0.8],
    [2, 0.5 * 0.8],
  ] as const)('commonness %d: %d beside severity', (commonness, score) => {
    const all = [factsOf({ id: 'a', s: 0, known: 'host_down', commonness }, 0)];
    const severity = 0.07;
    expect(candidateOf(causesOf(all), calibrated)!.score).toBeCloseTo(score + severity, 12);
    expect(candidateOf(causesOf(all), literal)!.score).toBeCloseTo(0.8 + severity, 12);
    const cause = causeOf(all[0]!.arrival, weights);
    const standing = { cis: 0, first: cause.time, rarity: rarityOf(cause, 'calibrated') };
    const parts = partsOf({ score: score + severity, explains: [] }, cause, standing, weights);
    expect(Object.values(parts).reduce((sum, part) => sum + part, 0)).toBeCloseTo(score + severity, 12);
    expect(parts.earliness).toBeCloseTo((score * 3) / 8, 12);
  });
});

describe('alternatives say something else than what is named before them', () => {
  /** A feed with two racks of it that are dark, and a name server with one client: two faults in one group. */
  const events: Given[] = [
    { id: 'feed', ci: 'feed', s: 0, sev: 'critical' },
    { id: 'rack-1', ci: 'rack-1', s: 5, sev: 'critical', up: ['feed'] },
    { id: 'rack-2', ci: 'rack-2', s: 10, sev: 'critical', up: ['feed'] },
    { id: 'host', ci: 'host', s: 15, up: ['rack-1', 'feed'] },
    { id: 'names', ci: 'names', s: 200 },
    { id: 'client', ci: 'client', s: 210, up: ['names'] },
  ];
  const named = (judging: typeof calibrated | typeof literal): string[] => {
    const { eventId, alternatives } = candidateOf(causesOf(events.map(factsOf)), judging)!;
    return [eventId, ...alternatives.map((one) => one.eventId)];
  };

  test('what the candidate explains counts for half in the first two places', () => {
    expect(named(calibrated)).toEqual(['feed', 'names', 'rack-1', 'rack-2', 'host', 'client']);
  });
  test('under `specified` they are in the order of their scores', () => {
    expect(named(literal)).toEqual(['feed', 'rack-1', 'names', 'rack-2', 'host', 'client']);
  });
});

const CIS = ['c0', 'c1', 'c2', 'c3', 'c4'];
const givenEvents = fc
  .array(
    fc.record({
      s: fc.integer({ min: 0, max: 900 }),
      ci: fc.option(fc.constantFrom(...CIS), { nil: undefined }),
      sev: fc.constantFrom(...SEVERITIES),
      kind: fc.constantFrom(...KINDS),
      known: fc.option(fc.constantFrom(...KNOWN_PATTERNS)),
      usual: fc.boolean(),
      template: fc.constantFrom('disk full', 'link down', 'slow'),
      commonness: fc.constantFrom<Commonness>(0, 1, 2),
    }),
    { minLength: 1, maxLength: 14 },
  )
  .map((events) =>
    events.map(({ ci, ...event }, i): Given => {
      const place = ci === undefined ? -1 : CIS.indexOf(ci);
      return {
        ...event,
        id: `e${String(i).padStart(2, '0')}`,
        ...(ci ? { ci } : {}),
        up: CIS.slice(0, Math.max(0, place)).reverse(),
      };
    }),
  );

/** docs/specification.md §8 read aloud: every member against every other. */
const bySearch = (all: readonly CauseFacts[]) => {
  const active = all.some(({ arrival }) => !arrival.usual) ? all.filter(({ arrival }) => !arrival.usual) : all;
  const cis = new Set(active.flatMap(({ arrival }) => arrival.ciId ?? []));
  const first = Math.min(...active.map(({ arrival }) => arrival.time));
  const scored = active.map(({ arrival }) => {
    const b = causeOf(arrival, weights);
    const byHops = [0, 0, 0, 0, 0, 0, 0];
    for (const ci of cis) {
      const hops = active
        .filter(({ arrival: a }) => a.ciId === ci && b.time <= a.time + 300_000)
        .filter(
          ({ arrival: a }) =>
            b.sweeping ||
            (b.rank >= severityRank(a.severity) && EFFECTS_OF[b.kind]!.includes(KINDS.indexOf(a.complaint.kind))),
        )
        .flatMap(({ upstream }) => upstream.find((near) => near.ci === b.ciId)?.hops ?? []);
      if (hops[0] !== undefined) byHops[hops[0]]! += 1;
    }
    const alike = new Set(
      active.flatMap(({ arrival: a }) =>
        b.known && a.complaint.known !== null && a.template === arrival.template ? [a.system] : [],
      ),
    ).size;
    const rarity = 1 - b.commonness / 4;
    const standing = { near: nearnessSum(byHops), cis: cis.size, alike: Math.max(1, alike), first, rarity };
    const above = active.find(({ arrival: a }) => a.ciId !== null && a.ciId === b.ciId)?.upstream ?? [];
    return { b, eventId: b.eventId, score: scoreOf(b, standing, weights), time: b.time, above };
  });
  type Scored = (typeof scored)[number];
  const best = (list: readonly Scored[], weighed: (one: Scored) => number) =>
    list.toSorted((a, b) => weighed(b) - weighed(a) || a.time - b.time || (a.eventId < b.eventId ? -1 : 1));
  const ranked = best(scored, ({ score }) => score);
  const named = ranked.slice(0, 1);
  for (let place = 0; place < 2; place++) {
    const isUnder = ({ b: effect, above }: Scored) =>
      named.some(({ b }) => above.some(({ ci }) => ci === b.ciId) && explains(b, effect));
    const elsewhere = scored.filter(({ b }) => !named.some((one) => one.b.ciId === b.ciId));
    named.push(...best(elsewhere, (one) => one.score * (isUnder(one) ? 0.5 : 1)).slice(0, 1));
  }
  return [...named, ...ranked.filter((one) => !named.includes(one))]
    .slice(0, 6)
    .map(({ eventId, score }) => ({ eventId, score }));
};

describe('the index of causes', () => {
  test('agrees with the rule applied to every pair', () => {
    fc.assert(
      fc.property(givenEvents, (given) => {
        const all = given.map(factsOf);
        const { eventId, score, alternatives } = candidateOf(causesOf(all), calibrated)!;
        expect([{ eventId, score }, ...alternatives]).toEqual(bySearch(all));
      }),
      { numRuns: 300 },
    );
  });

  test('does not show the order of adding', () => {
    const shuffled = givenEvents.chain((given) =>
      fc.tuple(
        fc.constant(given),
        fc.shuffledSubarray(
          given.map((_, i) => i),
          { minLength: given.length },
        ),
      ),
    );
    fc.assert(
      fc.property(shuffled, ([given, order]) => {
        const all = given.map(factsOf);
        let causes = openCauses();
        for (const i of order) addMember(causes, all[i]!);
        if (causes.stale) causes = causesOf(all);
        expect(candidateOf(causes, calibrated)).toEqual(candidateOf(causesOf(all), calibrated));
      }),
      { numRuns: 300 },
    );
  });

  /** Members that come in any order, as when groups merge, and again; `up`: how much of the way upstream is known then. */
  const replaced = fc.array(
    fc.record({
      member: fc.nat(7),
      at: fc.nat(20),
      ci: fc.constantFrom(...CIS, undefined),
      up: fc.nat(2),
      said: fc.nat(3),
      usual: fc.constantFrom(false, false, false, true),
    }),
    { minLength: 2, maxLength: 40 },
  );
  const SAID = [{ kind: 'down' }, { kind: 'down', sev: 'minor' }, { kind: 'errors' }, { known: 'link_down' }] as const;

  test('is that of the members as they are now when some arrive again', () => {
    fc.assert(
      fc.property(replaced, (arrivals) => {
        const members = new Map<number, CauseFacts>();
        let causes = openCauses();
        for (const [n, { member, at, ci, up, said, usual }] of arrivals.entries()) {
          const position = 100 * at + n;
          if (position < (members.get(member)?.arrival.position ?? 0)) continue;
          const upstream = CIS.slice(Math.max(0, CIS.indexOf(ci ?? '') - up), Math.max(0, CIS.indexOf(ci ?? '')));
          const given = { id: `e${member}`, s: member * 20, usual, template: `t${said}`, ...(ci && { ci }) };
          const facts = factsOf({ ...given, ...SAID[said]!, up: upstream.reverse() }, position);
          const before = members.get(member);
          members.set(member, facts);
          if (before === undefined) addMember(causes, facts);
          else replaceMember(causes, before, facts);
          if (causes.stale) causes = causesOf(members.values());
          const [kept, anew] = [candidateOf(causes, calibrated), candidateOf(causesOf(members.values()), calibrated)];
          // `expect` took two thirds of the time of this test.
          if (!isDeepStrictEqual(kept, anew)) expect(kept).toEqual(anew);
        }
      }),
      { numRuns: 40000 },
    );
  });

  test('is not built anew for an arrival that says the same again', () => {
    const facts = [link, db, app].map(factsOf);
    const causes = causesOf(facts);
    replaceMember(causes, facts[1]!, factsOf({ ...db, template: 'said in other words' }, 9));
    expect(causes.stale).toBe(false);
    replaceMember(causes, facts[2]!, factsOf({ ...app, sev: 'critical' }, 10));
    expect(causes.stale).toBe(true);
  });
});

describe('confidence under calibrated', () => {
  const chain = { explained: 2, cis: 3, alike: 1, lead: 0.25 };
  const critical = causeOf(arrivalOf({ eventId: 'db', severity: 'critical' }), weights);
  const x = -4.7 + (4.5 * 2) / 4 + 0.32 * Math.log(4) + 1.4 * 0.25 + 1.7;
  const odds = (value: number) => 1 / (1 + Math.exp(-value));
  test.each([
    ['a chain of three', {}, x],
    ['a known pattern', { cause: { ...critical, known: true } }, x + 0.9],
    ['the same words on three systems', { cause: { ...critical, known: true }, alike: 3 }, x + 0.3],
    ['a major event', { cause: { ...critical, severity: 'major' as const } }, x - 1.7 * 0.3],
    ['said now and then', { cause: { ...critical, commonness: 1 as const } }, x - 1.6],
    ['said all the time', { cause: { ...critical, commonness: 2 as const } }, x - 3.2],
    ['a lead above 1', { lead: 4 }, x + 1.4 * 0.75],
    ['no CI', { explained: 0, cis: 0 }, -4.7 + 1.4 * 0.25 + 1.7],
    ['one CI', { explained: 0, cis: 1 }, -4.7 + 0.32 * Math.log(2) + 1.4 * 0.25 + 1.7],
  ])('%s', (_, more, expected) => {
    expect(calibratedConfidence({ cause: critical, ...chain, ...more })).toBeCloseTo(odds(expected), 12);
  });

  test('it is what a candidate has; the profile specified keeps 0.2 + 0.5 · coverage + 0.29 · lead', () => {
    const facts = [db, app].map(factsOf);
    const [sure, asked] = [calibrated, literal].map((judging) => candidateOf(causesOf(facts), judging)!);
    expect(asked!.confidence).toBeCloseTo(0.2 + 0.5 + 0.29, 2);
    const lead = sure!.score - sure!.alternatives[0]!.score;
    expect(sure!.confidence).toBeCloseTo(odds(-4.7 + 1.5 + 0.32 * Math.log(3) + 1.4 * Math.min(1, lead) + 1.7), 12);
  });
});
