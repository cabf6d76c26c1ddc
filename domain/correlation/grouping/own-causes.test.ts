import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Commonness } from '#domain/correlation/records.ts';
import { causeOf } from '#domain/correlation/root-cause/causes.ts';
import type { NearCi } from '#domain/topology/near.ts';
import { arrivalOf, SETTINGS } from '#test/setup/merge-kit.ts';
import { runs } from '#test/setup/runs.ts';
import { admit, emptyGroup, type Member, memberFrom, type OpenGroup } from './groups.ts';
import { ofAnotherCause } from './own-causes.ts';

const MINUTE = 60_000;
const T = 100_000 * MINUTE;

const groupOf = (members: readonly Member[]): OpenGroup => {
  const made = { tenant: 'acme', id: 'g', foundedBy: 'e', foundedAt: T, createdPosition: 1 };
  const group = emptyGroup({ ...made, weights: SETTINGS.rootCause, profile: 'calibrated' });
  for (const member of members) admit(group, member);
  return group;
};

const isOneUp = ({ hops }: NearCi): boolean => hops === 1;
const ciOf = ({ arrival }: Member): string => arrival.ciId ?? '';
const isBelow = ({ upstream }: Member, ci: string): boolean => upstream.some((near) => near.ci === ci);

/** The rule of docs/specification.md §7, by comparing all members with all. */
const naive = (members: readonly Member[], newest: Member): string[] => {
  const causes = new Map([...members, newest].map((one) => [one, causeOf(one.arrival, one.weights)] as const));
  const cause = (one: Member) => causes.get(one)!;
  const known = members.filter((one) => cause(one).sweeping);
  const alike = ({ arrival }: Member): number =>
    new Set(known.filter((one) => one.arrival.template === arrival.template).map((one) => one.arrival.system)).size;
  const byTime = (a: Member, b: Member): number => a.arrival.time - b.arrival.time || (a.eventId < b.eventId ? -1 : 1);
  const first = (ci: string): Member | undefined => {
    const there = members.filter((one) => ciOf(one) === ci).sort(byTime);
    const isFirst = (one: Member): boolean => there.find((x) => x.arrival.template === one.arrival.template) === one;
    return there.find((one) => isFirst(one) && cause(one).sweeping && cause(one).commonness < 2);
  };
  const sourceOn = (ci: string): Member | undefined => {
    const source = first(ci);
    return source && !known.some((one) => isBelow(source, ciOf(one))) ? source : undefined;
  };
  const above = known.filter((one) => isBelow(newest, ciOf(one)));
  const tops = [...new Set(above.map(ciOf))].flatMap((ci) => sourceOn(ci) ?? []);
  const own = known.some((one) => ciOf(one) === ciOf(newest)) ? sourceOn(ciOf(newest)) : newest;
  const isOwn = above.length === 0 && own && cause(own).sweeping && cause(own).commonness < 2;
  const source = above.length > 0 ? (tops.length === 1 ? tops[0] : undefined) : isOwn ? own : undefined;
  if (source === undefined || newest.arrival.usual) return [];
  const explained = (of: Member, other: Member): Set<string> => {
    const inTime = (one: Member): boolean => one.arrival.time >= of.arrival.time - 5 * MINUTE;
    const isTheirs = (ci: string): boolean =>
      ci === ciOf(other) || members.some((x) => ciOf(x) === ci && isBelow(x, ciOf(other)));
    return new Set(
      members
        .filter((one) => isBelow(one, ciOf(of)) && inTime(one))
        .map(ciOf)
        .filter((ci) => !isTheirs(ci)),
    );
  };
  const rivals = [...new Set(known.map(ciOf))]
    .filter((ci) => ci !== ciOf(source))
    .flatMap((ci) => sourceOn(ci) ?? [])
    .filter((other) => {
      const isLater = Math.abs(other.arrival.time - source.arrival.time) >= MINUTE;
      const shared = source.upstream
        .filter(isOneUp)
        .some(({ ci }) => other.upstream.filter(isOneUp).some((x) => x.ci === ci));
      const [ours, theirs] = [explained(source, other).size, explained(other, source).size];
      return alike(other) === 1 && (isLater || alike(source) <= 1) && !shared && ours >= 5 && theirs >= ours;
    })
    .sort((a, b) => explained(b, source).size - explained(a, source).size || (ciOf(a) < ciOf(b) ? -1 : 1));
  const [other] = rivals;
  if (other === undefined) return [];
  const cis = explained(source, other).add(ciOf(source));
  const leaves = ({ arrival }: Member): boolean =>
    cis.has(arrival.ciId ?? '') && arrival.time >= source.arrival.time - 5 * MINUTE;
  return members
    .filter(leaves)
    .map(({ eventId }) => eventId)
    .sort();
};

/** Feeds, the switches on them, and hosts below these; one feed is below another, and one switch on none. */
const upstreamOf = (ci: string): NearCi[] => {
  const n = Number(ci.slice(1));
  if (ci.startsWith('f')) return n === 2 ? [{ ci: 'f0', hops: 1, via: null }] : [];
  const feed = { ci: `f${n % 3}`, hops: ci.startsWith('s') ? 1 : 2, via: null };
  if (ci.startsWith('s')) return n === 3 ? [] : [feed];
  return [{ ci: `s${n % 4}`, hops: 1, via: null }, ...(n % 5 === 0 ? [feed] : [])];
};

const event = fc.record({
  ci: fc.oneof(
    { weight: 1, arbitrary: fc.constantFrom('f1', 's0', 's1', 's2', 's3', 's3') },
    { weight: 12, arbitrary: fc.nat(31).map((n) => `h${n}`) },
  ),
  seconds: fc.nat(600),
  /** The first half are known causes. */
  title: fc.nat(3),
  commonness: fc.constantFrom<Commonness>(0, 0, 1, 2),
});
type Given = typeof event extends fc.Arbitrary<infer G> ? G : never;

const memberOf = ({ ci, seconds, title, commonness }: Given, i: number): Member => {
  const known = title < 2 && !ci.startsWith('h') ? 'dns' : null;
  const arrival = arrivalOf({
    eventId: `e${String(i).padStart(3, '0')}`,
    position: i + 1,
    time: T + seconds * 1_000,
    ciId: ci,
    system: ci,
    template: `${ci.slice(0, 1)}${title}`,
    complaint: { kind: 'down', known },
    commonness,
  });
  return memberFrom({ arrival, upstream: upstreamOf(ci), settings: SETTINGS });
};

test('agrees with a comparison of all members with all, in any order of them', () => {
  let split = 0;
  fc.assert(
    fc.property(fc.array(event, { minLength: 40, maxLength: 60 }), (given) => {
      const members = given.map(memberOf);
      const newest = members.pop()!;
      const expected = naive(members, newest);
      if (expected.length > 0) split += 1;
      expect(ofAnotherCause(groupOf(members), newest)).toEqual(expected);
      expect(ofAnotherCause(groupOf(members.toReversed()), newest)).toEqual(expected);
    }),
    { numRuns: runs({ short: 1_000, long: 50_000 }), seed: 7 },
  );
  expect(split).toBeGreaterThan(5);
});
