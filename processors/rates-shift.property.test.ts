import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { strategies } from '#domain/correlation/strategies/strategies.ts';
import { NOWHERE } from '#domain/correlation/window/enrichment.ts';
import type { Event } from '#domain/event/event.ts';
import type { SavedEvent } from '#domain/event/incoming.ts';
import type { Entry } from '#domain/pipeline/processor.ts';
import { correlationHits, eventsEnriched } from '#schemas/topics/topics.ts';
import { driveDedup, TENANT } from '#test/setup/asks.ts';
import { driveFold } from '#test/setup/drive-fold.ts';
import { driveJoin } from '#test/setup/drive-join.ts';
import { driveMerge } from '#test/setup/drive-merge.ts';
import { allPassed } from '#test/setup/merge-kit.ts';
import { correlate } from './correlate.ts';
import { enrich } from './enrich.ts';

const MINUTE = 60_000;
const START = 1_763_629_200_000;
const EVENTS = 600;
const TITLES = ['disk is slow', 'out of memory', 'link flaps', 'queue grows', 'login fails', 'backup late'];

const sample = driveDedup().occur().saved[0]!.event as Event;

/** Six hours of a busy tenant: problems of 60 hosts of 5 services, some common and some rare. */
const eventsOf = (choices: readonly number[]): Event[] => {
  let time = START;
  return choices.map((choice, i) => {
    time += (choice % 71) * 1_000;
    const n = choice % 60;
    const ci = choice % 3 === 0 ? null : { id: `ci-${n}`, name: `host-${n}`, type: 'server' };
    const title = TITLES[Math.min(choice % 7, choice % 11, TITLES.length - 1)]!;
    return {
      ...sample,
      id: `e${i}`,
      timestamp: time,
      firstOccurrence: time,
      lastOccurrence: time,
      hostname: `host-${n}`,
      title,
      ci,
      identity: `${title} ${n}`,
      signature: title,
      service: `service-${n % 5}`,
    };
  });
};

/** Returns the decisions on them, by position, when all of it happens this much later. */
const decisionsOf = (events: readonly Event[], later: number): Map<number, string> => {
  const around = (_: string, ciId: string) => {
    const n = Number(ciId.slice(3));
    const below = { ci: `ci-${(n + 1) % 60}`, hops: 1, via: ciId, criticalHops: 0 };
    return { ...NOWHERE, near: [below], hasRelationships: true, degree: 1, reach2: 2, reach3: 3, all: 60 };
  };
  const first = driveFold(enrich, { around });
  const joins = strategies.map((strategy) => driveJoin(correlate(strategy)));
  const merge = driveMerge();
  for (const [i, event] of events.entries()) {
    const [timestamp, position] = [event.timestamp + later, i + 1];
    const moved = { ...event, timestamp, firstOccurrence: timestamp, lastOccurrence: timestamp };
    const value: SavedEvent = { happened: 'created', event: moved, receivedAt: timestamp };
    const { emitted } = first.batch([{ tenant: TENANT, position, value }]);
    for (const { topic, entry } of emitted)
      if (topic === eventsEnriched) for (const join of joins) join.match([entry as Entry<never>]);
    const hits = [
      ...emitted.filter(({ topic }) => topic === correlationHits),
      ...joins.flatMap((join) => join.emitted),
    ];
    for (const join of joins) join.emitted.length = 0;
    merge.batch([...hits.map(({ entry }) => entry as Entry<never>), ...allPassed(position)]);
  }
  return new Map(
    merge.decisions.map(({ position, accepted, joined, merged }) => [
      position,
      JSON.stringify([accepted.map(({ other }) => other).sort(), joined.toSorted(), merged.length]),
    ]),
  );
};

const changed = (one: ReadonlyMap<number, string>, other: ReadonlyMap<number, string>): number => {
  const positions = new Set([...one.keys(), ...other.keys()]);
  return [...positions].filter((position) => one.get(position) !== other.get(position)).length;
};

describe('the same events at another minute', () => {
  const given = fc.array(fc.nat(1_000_000), { minLength: EVENTS, maxLength: EVENTS, size: 'max' });

  test('property: some minutes later all decisions are the same', () => {
    fc.assert(
      fc.property(given, fc.integer({ min: 1, max: 9 }), (choices, minutes) => {
        const events = eventsOf(choices);
        const plain = decisionsOf(events, 0);
        expect(plain.size).toBeGreaterThan(EVENTS / 10);
        expect(changed(plain, decisionsOf(events, minutes * MINUTE))).toBe(0);
      }),
      { numRuns: 3, endOnFailure: true },
    );
  });

  test('property: within a minute, too, less than 1 % of the decisions change', () => {
    let differ = 0;
    fc.assert(
      fc.property(given, fc.integer({ min: 1, max: 9 * 60 }), (choices, seconds) => {
        const events = eventsOf(choices);
        differ += changed(decisionsOf(events, 0), decisionsOf(events, seconds * 1_000));
      }),
      { numRuns: 6, endOnFailure: true },
    );
    expect(differ / (6 * EVENTS)).toBeLessThan(0.01);
  });
});
