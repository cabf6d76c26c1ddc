import { describe, expect, test } from '@jest/globals';
import { queuedCount } from '#domain/correlation/grouping/arrival-queue.ts';
import type { Saved } from '#domain/event/incoming.ts';
import { driveDedup, occurrence, T0, TENANT } from '#test/setup/asks.ts';
import { driveFold } from '#test/setup/drive-fold.ts';
import { driveMerge } from '#test/setup/drive-merge.ts';
import {
  allPassed,
  arrivalOf,
  enrichedOf,
  factsEntry,
  forgottenEntry,
  groupsIn,
  hitOf,
  hitsEntry,
  linkTo,
  passedEntry,
} from '#test/setup/merge-kit.ts';
import { enrich } from './enrich.ts';

/* The deletion of a tenant is a record in the log, and each owner drops its memory of it. */

const OTHER = 'other';
const forgotten = { kind: 'forgotten' } as const;

describe('dedup', () => {
  test('drops the rows of the tenant and its repeats, tells who comes after it, and leaves the answer to merge', () => {
    const drive = driveDedup();
    drive.occur();
    const {
      emitted,
      receipts,
      forgotten: tenants,
    } = drive.batch({ kind: 'occurred', occurrence: occurrence({ timestamp: T0 + 1 }) }, forgotten);
    expect(emitted.map(({ topic, entry }) => [topic, entry.tenant, entry.position, entry.value])).toEqual([
      ['events.saved', TENANT, 3, { happened: 'forgotten', receivedAt: T0 + 1 }],
    ]);
    expect([[...receipts.keys()], tenants]).toEqual([[2], [TENANT]]);
    expect([drive.state.tenants.size, drive.state.repeats.size]).toEqual([0, 0]);
  });

  test('the same complaint is a new event afterwards', () => {
    const drive = driveDedup();
    const before = drive.occur({ conditionId: 'c' }).receipt;
    drive.one(forgotten);
    const after = drive.occur({ conditionId: 'c' }).receipt;
    expect([before, after]).toMatchObject([{ outcome: 'created' }, { outcome: 'created', count: 1 }]);
  });

  test('keeps what it knows of another tenant', () => {
    const drive = driveDedup();
    drive.occur();
    drive.run([{ ...drive.entry(forgotten), tenant: OTHER }]);
    expect(drive.occur({ timestamp: T0 + 1 }).receipt).toMatchObject({ outcome: 'duplicate_updated' });
  });
});

describe('enrich', () => {
  const saved = (tenant: string, position: number) => {
    const event = { ...driveDedup(tenant).occur().saved[0]!.event, id: `e${position}` };
    return { tenant, position, value: { happened: 'created', event, receivedAt: T0 } as Saved };
  };

  test('drops the stream of the tenant and tells merge', () => {
    const drive = driveFold(enrich);
    drive.batch([saved(TENANT, 1), saved(OTHER, 2)]);
    const value: Saved = { happened: 'forgotten', receivedAt: T0 };
    const { emitted, enriched } = drive.batch([{ tenant: TENANT, position: 3, value }]);
    expect(emitted).toEqual([{ topic: 'correlation.hits', entry: forgottenEntry(3, TENANT) }]);
    expect([enriched, [...drive.state.tenants.keys()]]).toEqual([[], [OTHER]]);
  });
});

describe('merge', () => {
  const arrival = (position: number, tenant = TENANT) =>
    arrivalOf({ eventId: `${tenant}-${position}`, position, tenant, time: T0 + position });
  const facts = (position: number, tenant = TENANT) => factsEntry(enrichedOf(arrival(position, tenant)));
  const pair = (tenant: string, from: number) => [
    facts(from, tenant),
    facts(from + 1, tenant),
    hitsEntry(arrival(from + 1, tenant), 'dependency', [hitOf(`${tenant}-${from}`, 0.9)]),
    ...allPassed(from + 1),
  ];

  test('drops groups and facts of the tenant alone, and answers', () => {
    const drive = driveMerge();
    drive.batch([...pair(TENANT, 1), ...pair(OTHER, 3)]);
    expect(groupsIn(drive.state)).toHaveLength(2);
    drive.batch([forgottenEntry(5)]);
    expect(drive.receipts.get(5)).toMatchObject({ ok: true, outcome: 'changed', id: null });
    expect([...drive.state.tenants.keys()]).toEqual([OTHER]);
    expect([...drive.state.recent.values()].map((one) => one.arrival.tenant)).not.toContain(TENANT);
    expect(groupsIn(drive.state)).toHaveLength(1);
  });

  test('waits for its turn behind what is undecided, and for no strategy beyond that', () => {
    const drive = driveMerge();
    drive.batch([facts(1), forgottenEntry(2), passedEntry('temporal', 9)]);
    expect([drive.receipts.size, queuedCount(drive.state.arrivals)]).toEqual([0, 2]);
    drive.batch(allPassed(1));
    expect([drive.receipts.has(2), queuedCount(drive.state.arrivals)]).toEqual([true, 0]);
    expect([drive.state.recent.size, drive.state.tenants.size]).toEqual([0, 0]);
  });

  test('what came of the tenant behind it goes too, of another nothing', () => {
    const drive = driveMerge();
    const links = [linkTo(`${OTHER}-3`, 0.9)];
    drive.batch([
      facts(1),
      forgottenEntry(2),
      facts(3, OTHER),
      facts(4),
      factsEntry(enrichedOf(arrival(1, OTHER)), { position: 5, links }),
    ]);
    drive.batch(allPassed(1));
    expect(
      drive.state.arrivals.queue.slice(drive.state.arrivals.head).map(({ tenant, position }) => [tenant, position]),
    ).toEqual([
      [OTHER, 3],
      [OTHER, 5],
    ]);
    expect([...drive.state.arrivals.byPosition.keys()]).toEqual([3, 5]);
    drive.batch(allPassed(4));
    expect([queuedCount(drive.state.arrivals), drive.receipts.get(5)?.ok]).toEqual([0, true]);
  });

  test('what comes again after a rewind is not answered anew', () => {
    const drive = driveMerge();
    drive.batch([facts(1), forgottenEntry(2), ...allPassed(2)]);
    drive.receipts.clear();
    drive.batch([forgottenEntry(2)]);
    expect([drive.receipts.size, queuedCount(drive.state.arrivals)]).toEqual([0, 0]);
  });
});
