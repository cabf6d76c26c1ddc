import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { apply, rebind } from '#domain/correlation/grouping/apply.ts';
import { type GroupMemory, openMemory, remember } from '#domain/correlation/grouping/group-memory.ts';
import { chooseCandidate } from '#domain/correlation/grouping/groups.ts';
import { linksOf } from '#domain/correlation/grouping/links.ts';
import type { Arrival, Commonness, CorrelationInput, Enriched, Hit } from '#domain/correlation/records.ts';
import { endedAt } from '#domain/correlation/status-transitions.ts';
import { STRATEGY_NAMES } from '#domain/correlation/strategies/strategies.ts';
import { SEVERITIES } from '#domain/event/event.ts';
import { KNOWN_PATTERNS } from '#domain/event/identity/known-patterns.ts';
import type { Entry } from '#domain/pipeline/processor.ts';
import type { NearCi } from '#domain/topology/near.ts';
import { driveMerge, type MergeDrive } from '#test/setup/drive-merge.ts';
import {
  allPassed,
  apartEntry,
  arrivalOf,
  enrichedOf,
  factsEntry,
  groupsIn,
  hitOf,
  hitsEntry,
  linkTo,
  passedEntry,
  SETTINGS,
} from '#test/setup/merge-kit.ts';

type Input = Entry<CorrelationInput>;

const MINUTE = 60_000;
/** Two lines of CIs, each below the ones before it: faults in both are two. */
const LINES = [
  ['c0', 'c1', 'c2', 'c3'],
  ['d0', 'd1', 'd2'],
];
const CIS = LINES.flat();

const upstreamOf = (ci: string | null): NearCi[] => {
  const line = LINES.find((one) => ci !== null && one.includes(ci)) ?? [];
  const at = line.indexOf(ci ?? '');
  return line.slice(0, Math.max(0, at)).map((upper, j) => ({ ci: upper, hops: at - j, via: null }));
};
/** Small, so that the size guard is met; windows are as they are. */
const TIGHT = { ...SETTINGS, guards: { ...SETTINGS.guards, maxSize: 6 } };

/** Possible requests right after an event arrived: about it, or an earlier one. */
const ASKS = [
  'manual',
  'demand',
  'bound',
  'escalated',
  'late',
  'returned',
  'supersedes',
  'ended',
  'resumed',
  'split',
  // Often, since only members of open groups are split.
  'split',
  'split',
] as const;
const score = fc.constantFrom(0.4, 0.7, 0.71, 0.8, 0.95);
const event = fc.record({
  minutes: fc.integer({ min: -2, max: 30 }),
  ci: fc.option(fc.constantFrom(...CIS)),
  severity: fc.constantFrom(...SEVERITIES),
  known: fc.option(fc.constantFrom(...KNOWN_PATTERNS)),
  suppressed: fc.boolean(),
  usual: fc.boolean(),
  commonness: fc.constantFrom<Commonness>(0, 1, 2),
  /** Distance of the partners, and scores of the strategies. */
  hits: fc.array(fc.record({ strategy: fc.nat(4), back: fc.integer({ min: 1, max: 12 }), score }), { maxLength: 5 }),
  /** Request about an earlier event right after this one arrived. */
  ask: fc.option(fc.record({ kind: fc.constantFrom(...ASKS), back: fc.nat(9), to: fc.nat(9), score }), { freq: 2 }),
});

interface Second {
  readonly kind: 'bound' | 'escalated' | 'late' | 'returned' | 'supersedes';
  readonly position: number;
  readonly time: number;
}

/** Returns the second arrival of an event, or of its successor. `upper`: it has no hits. */
const secondOf = ({ arrival, upstream }: Enriched, { kind, position, time }: Second) => {
  const { again: _again, supersedes: _other, ...known } = arrival;
  const second = { ...known, position, rebound: true };
  const above = [{ ci: 'c0', hops: 1, via: null }];
  if (kind === 'bound' || kind === 'late')
    return { again: enrichedOf({ ...second, ciId: 'c3' }, above, TIGHT), upper: true };
  const changed: Partial<Arrival> = {
    ...(kind === 'escalated' && { severity: 'critical', again: kind }),
    ...(kind === 'returned' && { time, again: kind }),
    ...(kind === 'supersedes' && { eventId: `s${position}`, supersedes: arrival.eventId, again: kind }),
  };
  return { again: enrichedOf({ ...second, ...changed }, upstream, TIGHT), upper: false };
};

interface Story {
  /** One list for each writer of the topic, each in its own order: enrich, then the strategies. */
  readonly facts: readonly Input[];
  readonly strategies: readonly (readonly Input[])[];
  readonly last: number;
}

/** Some members of the open group that the event is in by then, as groups are a function of the order of arrivals. */
const splitOf = (given: Story, about: Enriched, mask: number): Input | null => {
  const drive = run(inOrder(given), [10_000]);
  const found = groupsIn(drive.state) as { id: string; members: string[] }[];
  const group = found.find(({ members }) => members.includes(about.arrival.eventId));
  if (!group) return null;
  const others = group.members.filter((id, place) => id !== about.arrival.eventId && (mask >> (place % 4)) & 1);
  const eventIds = [about.arrival.eventId, ...others];
  return apartEntry(about, { position: given.last + 1, from: group.id, eventIds });
};

const story = fc.array(event, { minLength: 2, maxLength: 24 }).map((events): Story => {
  const made: Enriched[] = [];
  const facts: Input[] = [];
  const strategies: Input[][] = STRATEGY_NAMES.map(() => []);
  let time = 100_000 * MINUTE;
  let position = 0;
  for (const [i, given] of events.entries()) {
    time += given.minutes * MINUTE;
    const { severity, suppressed, usual, ci, known, commonness } = given;
    const upstream = upstreamOf(ci);
    const complaint = { kind: 'unknown', known } as const;
    const eventId = `e${String(i).padStart(2, '0')}`;
    const arrival = arrivalOf({
      eventId,
      position: ++position,
      time,
      severity,
      suppressed,
      usual,
      ciId: ci,
      complaint,
      commonness,
    });
    facts.push(factsEntry(enrichedOf(arrival, upstream, TIGHT)));
    for (const [s, strategy] of STRATEGY_NAMES.entries()) {
      const hits = new Map<string, Hit>();
      for (const hit of given.hits)
        if (hit.strategy === s && i - hit.back >= 0) {
          const other = made[i - hit.back]!.arrival.eventId;
          hits.set(other, hitOf(other, hit.score));
        }
      if (hits.size > 0) strategies[s]!.push(hitsEntry(arrival, strategy, [...hits.values()]));
      strategies[s]!.push(passedEntry(strategy, position));
    }
    made.push(enrichedOf(arrival, upstream, TIGHT));
    const { ask } = given;
    const about = ask && made[i - ask.back];
    const partner = ask && made[i - ask.to];
    if (!ask || !about) continue;
    position += 1;
    if (ask.kind === 'split') {
      const entry = splitOf({ facts, strategies, last: position - 1 }, about, ask.to);
      if (entry) facts.push(entry);
    } else if (ask.kind === 'ended' || ask.kind === 'resumed') {
      const kind = ask.kind === 'ended' ? 'ended' : 'returned';
      const value = { kind, eventId: about.arrival.eventId, at: time } as const;
      facts.push({ tenant: about.arrival.tenant, position, value });
    } else if (ask.kind !== 'manual' && ask.kind !== 'demand') {
      const { again, upper } = secondOf(about, { kind: ask.kind, position, time });
      facts.push(factsEntry(again, ask.kind === 'late' ? { late: true } : {}));
      made[i - ask.back] = again;
      if (ask.kind === 'late') continue;
      const found = upper || !partner || partner.arrival.eventId === again.arrival.eventId ? [] : [partner];
      const hits = found.map(({ arrival: { eventId: other } }) => hitOf(other, ask.score));
      for (const [s, strategy] of STRATEGY_NAMES.entries()) {
        if (s === 0 && hits.length > 0) strategies[s]!.push(hitsEntry(again.arrival, strategy, hits));
        strategies[s]!.push(passedEntry(strategy, position));
      }
    } else if (partner && partner !== about && !(ask.kind === 'manual' && about.arrival.supersedes)) {
      const links = [linkTo(partner.arrival.eventId, ask.score)];
      facts.push(factsEntry(about, { position, links, manual: ask.kind === 'manual' }));
    }
  }
  return { facts, strategies, last: position };
});

const positionOf = ({ position }: Input): number => position;

/** Everything in the order of positions, as embedded mode has it. */
const inOrder = ({ facts, strategies, last }: Story): Input[] =>
  Array.from({ length: last }, (_, i) => [
    ...facts.filter((entry) => entry.position === i + 1),
    ...strategies.flat().filter((entry) => entry.position === i + 1),
  ]).flat();

/** The writers at any speeds, each in its own order; a strategy never overtakes enrich. */
const interleaved = ({ facts, strategies }: Story, picks: readonly number[]): Input[] => {
  const queues = [[...facts], ...strategies.map((list) => [...list])];
  const out: Input[] = [];
  for (let turn = 0; queues.some((queue) => queue.length > 0); turn++) {
    const ready = queues.filter(
      (queue, i) => queue.length > 0 && (i === 0 || positionOf(queue[0]!) < (queues[0]![0]?.position ?? Infinity)),
    );
    out.push(ready[picks[turn % picks.length]! % ready.length]!.shift()!);
  }
  return out;
};

/** The reader occasionally rewinds by some records. */
const repeated = (entries: readonly Input[], rewinds: readonly { at: number; by: number }[]): Input[] => {
  const out: Input[] = [];
  for (const [i, entry] of entries.entries()) {
    out.push(entry);
    for (const { at, by } of rewinds) if (at === i) out.push(...entries.slice(Math.max(0, i - by), i + 1));
  }
  return out;
};

const run = (entries: readonly Input[], sizes: readonly number[]): MergeDrive => {
  const drive = driveMerge();
  for (let from = 0, turn = 0; from < entries.length; turn++) {
    const size = sizes[turn % sizes.length]!;
    drive.batch(entries.slice(from, from + size));
    from += size;
  }
  return drive;
};

/** Returns the facts at the time of the decision. */
const factsOf = (drive: MergeDrive, id: string, { position }: { readonly position: number }) =>
  drive.enriched.get(id)?.findLast(({ arrival }) => arrival.position <= position);

/** Returns the ended members of open groups, and the times of their ends. */
const endsIn = (memory: GroupMemory) =>
  [...memory.tenants.values()]
    .flatMap(({ members }) => [...members.values()].map(({ eventId, turns }) => [eventId, endedAt(turns)] as const))
    .sort(([a], [b]) => (a < b ? -1 : 1));

/** Groups that left memory are found under their assigned name. */
const standingIn = (drive: MergeDrive, id: string | null): string | null => {
  const group = id === null ? undefined : drive.groups.get(id);
  return group?.mergedInto ? standingIn(drive, group.mergedInto) : id;
};

const outcome = (drive: MergeDrive) => ({
  ends: endsIn(drive.state),
  open: groupsIn(drive.state),
  groups: [...drive.groups.values()]
    .map(({ candidate: _, named: _named, ...group }) => group)
    .sort((a, b) => (a.id < b.id ? -1 : 1)),
  decisions: drive.decisions.map((decision) => ({ ...decision, groupId: standingIn(drive, decision.groupId) })),
  assigned: drive.assigned,
  receipts: drive.receipts,
});

/** Changes of members while their group was closed are in no decision, so a reopened group may differ. */
const expectSame = (one: MergeDrive, other: MergeDrive): void => {
  fc.pre(one.reopened.size === 0 && other.reopened.size === 0);
  expect(outcome(one)).toEqual(outcome(other));
};

const picks = fc.array(fc.nat(5), { minLength: 1, maxLength: 40 });
const sizes = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 6 });
const rewinds = fc.array(fc.record({ at: fc.nat(150), by: fc.nat(30) }), { maxLength: 4 });

describe('groups are a function of the order of arrivals alone', () => {
  test('whatever the size of batches', () => {
    fc.assert(
      fc.property(story, sizes, (given, parts) => {
        expectSame(run(inOrder(given), parts), run(inOrder(given), [10_000]));
      }),
      { numRuns: 200 },
    );
  });

  test('whatever the speed of the strategies', () => {
    fc.assert(
      fc.property(story, picks, sizes, (given, order, parts) => {
        expectSame(run(interleaved(given, order), parts), run(inOrder(given), [1]));
      }),
      { numRuns: 200 },
    );
  });

  test('whatever is read again', () => {
    fc.assert(
      fc.property(story, rewinds, sizes, (given, again, parts) => {
        expectSame(run(repeated(inOrder(given), again), parts), run(inOrder(given), [1]));
      }),
      { numRuns: 200 },
    );
  });
});

/** Returns the partition into groups, by decisions alone. */
const walk = (drive: MergeDrive, each: (groupOf: (id: string) => string | undefined, at: number) => void): void => {
  const groups = new Map<string, string>();
  for (const { joined, groupId, merged, apart, position } of drive.decisions) {
    for (const id of apart?.left ?? []) groups.delete(id);
    for (const id of joined) groups.set(id, groupId!);
    for (const [id, group] of groups) if (merged.includes(group)) groups.set(id, groupId!);
    each((id) => groups.get(id), position);
  }
};

test('what a person has split is never joined again, but by hand', () => {
  let pairs = 0;
  fc.assert(
    fc.property(story, picks, sizes, (given, order, parts) => {
      const drive = run([...interleaved(given, order), ...allPassed(given.last)], parts);
      const apart = new Set<string>();
      const byPosition = new Map(drive.decisions.map((decision) => [decision.position, decision]));
      const heirs = [...drive.enriched.values()].flat().filter(({ arrival }) => arrival.again === 'supersedes');
      walk(drive, (groupOf, at) => {
        const decision = byPosition.get(at)!;
        for (const { arrival } of heirs)
          if (arrival.position === at)
            for (const pair of [...apart])
              if (pair.split(' ').includes(arrival.supersedes!))
                apart.add(pair.replace(arrival.supersedes!, arrival.eventId));
        for (const l of decision.apart?.left ?? []) for (const s of decision.apart!.stayed) apart.add(`${l} ${s}`);
        for (const pair of apart) {
          const [a, b] = pair.split(' ').map((id) => groupOf(id));
          if (a === undefined || a !== b) continue;
          if (decision.manual && decision.groupId === a) apart.delete(pair);
          else throw new Error(`${pair} are together since ${at}`);
        }
        pairs += apart.size;
      });
    }),
    { numRuns: 500 },
  );
  expect(pairs).toBeGreaterThan(50);
});

test('a group is what its members make of it, whatever was split and merged', () => {
  fc.assert(
    fc.property(story, sizes, (given, parts) => {
      const drive = run([...inOrder(given), ...allPassed(given.last)], parts);
      for (const { open } of drive.state.tenants.values())
        for (const group of open.values()) {
          const own = [...group.members.values()].filter(({ eventId }) => !group.superseded.has(eventId));
          const times = own.map(({ arrival }) => arrival.time);
          const stored = drive.groups.get(group.id)!;
          expect(stored.spark).toHaveLength(24);
          expect([stored.size, stored.spark!.reduce((sum, n) => sum + n, 0)]).toEqual([own.length, own.length]);
          expect(stored.first).toBeLessThanOrEqual(Math.min(...times));
          expect(group.members.has(group.candidate!.eventId)).toBe(true);
          expect([...group.members.values()].every((member) => member.group === group)).toBe(true);
        }
    }),
    { numRuns: 200 },
  );
});

describe('groups can be rebuilt', () => {
  test('a restored merge has the groups of the live one', async () => {
    await fc.assert(
      fc.asyncProperty(story, sizes, async (given, parts) => {
        const drive = run(inOrder(given), parts);
        // Changes of members of these while they were closed are in no decision.
        fc.pre(drive.reopened.size === 0);
        const restored = await drive.restored();
        for (const tenant of restored.tenants.values())
          for (const group of tenant.open.values()) chooseCandidate(group);
        expect(groupsIn(restored)).toEqual(groupsIn(drive.state));
        expect(endsIn(restored)).toEqual(endsIn(drive.state));
      }),
      { numRuns: 200 },
    );
  });

  test('applying all decisions to empty memory gives the live groups', () => {
    fc.assert(
      fc.property(story, (given) => {
        const facts = given.facts.filter(({ value }) => value.kind !== 'facts' || value.manual !== true);
        const drive = run(inOrder({ ...given, facts }), [7]);
        const memory = openMemory();
        for (const decision of drive.decisions) {
          for (const id of decision.joined) {
            const known = factsOf(drive, id, decision)!;
            rebind(memory, remember(memory, known), known);
          }
          apply(memory, decision, factsOf(drive, decision.eventId, decision)!);
        }
        for (const { open } of memory.tenants.values()) for (const group of open.values()) chooseCandidate(group);
        expect(groupsIn(memory)).toEqual(groupsIn(drive.state));
      }),
      { numRuns: 200 },
    );
  });

  test('a restored merge goes on as the live one would', async () => {
    await fc.assert(
      fc.asyncProperty(story, async (given) => {
        const drive = run(inOrder(given), [5]);
        const fresh = await drive.restored();
        const { newest, changes, ...memory } = drive.state;
        expect([newest, changes.size]).toEqual([null, 0]);
        const members = (state: typeof fresh) =>
          [...state.tenants.values()].flatMap((tenant) => [...tenant.members.keys()]).sort();
        expect(members(fresh)).toEqual(members({ ...memory, newest, changes }));
        expect(fresh.arrivals.decided).toBeLessThanOrEqual(given.last);
      }),
      { numRuns: 100 },
    );
  });
});

describe('links of one arrival', () => {
  const hits = fc.uniqueArray(fc.record({ other: fc.constantFrom('a', 'b', 'c'), score }), {
    selector: ({ other }) => other,
  });
  const findings = fc.tuple(...STRATEGY_NAMES.map(() => hits)).map((lists) =>
    lists.map((list, i) => ({
      strategy: STRATEGY_NAMES[i]!,
      hits: list.map(({ other, score: s }) => hitOf(other, s)),
    })),
  );
  const scores = (found: Parameters<typeof linksOf>[0]) => linksOf(found).map(({ other, score: s }) => [other, s]);

  test('do not depend on the order of the strategies', () => {
    fc.assert(fc.property(findings, (found) => expect(scores(found.toReversed())).toEqual(scores(found))));
  });

  test('keep their score when a finding is said twice', () => {
    fc.assert(fc.property(findings, (found) => expect(scores([...found, ...found])).toEqual(scores(found))));
  });

  test('have the maximum of the scores and all reasons', () => {
    fc.assert(
      fc.property(findings, (found) => {
        for (const link of linksOf(found)) {
          const all = found.flatMap(({ strategy, hits: list }) =>
            list.filter(({ other }) => other === link.other).map((hit) => ({ strategy, ...hit })),
          );
          const best = all.toSorted((a, b) => b.score - a.score);
          expect(link.score).toBe(best[0]!.score);
          expect(link.literalScore).toBe(Math.max(...all.map((hit) => hit.literalScore)));
          expect(link.reasons.map(({ strategy }) => strategy)).toEqual(best.map(({ strategy }) => strategy));
        }
      }),
    );
  });
});

test('the stories reach what they are for', () => {
  const seen = new Set<string>();
  for (const given of fc.sample(story, { numRuns: 400, seed: 7 })) {
    const drive = run([...inOrder(given), ...allPassed(given.last)], [9]);
    for (const { kind } of drive.changes) seen.add(kind);
    for (const { refused } of drive.decisions) for (const { guard } of refused) seen.add(guard);
    for (const receipt of drive.receipts.values()) seen.add(receipt.ok ? receipt.outcome : receipt.fault);
  }
  for (const kind of [
    'created',
    'joined',
    'merged',
    'closed',
    'root-cause',
    'size',
    'suppressed',
    'changed',
    'ignored',
  ])
    expect(seen).toContain(kind);
  expect(seen).toContain('closed');
});
