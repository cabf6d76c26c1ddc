import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Clock } from '#domain/ports/clock.ts';
import { SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import { type EventWorld, NOW, openEventWorld } from '#test/setup/event-world.ts';
import { openLeases } from './leases.ts';

const MS = 60_000;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const WORK = { kind: 'job-lease', id: 'sweep' };

let world: EventWorld;
let passed = 0;
beforeEach(async () => {
  world = await openEventWorld();
  passed = 0;
});
afterEach(() => world.close());

/** A process whose clock is off by this offset; time passes for all of them alike. */
const processAt = (off: number) => {
  const clock: Clock = { ...world.clock, now: () => NOW + off + passed, steady: () => 5_000 + passed };
  return openLeases({ records: world.ports.records, clock }, { isAlone: false });
};
const isTaken = async (leases: ReturnType<typeof processAt>, owner: string) =>
  (await leases.take(WORK, owner, MS)) !== null;

const OFF = [0, 2 * HOUR, -2 * HOUR, DAY, -DAY, 30 * DAY, -30 * DAY];
const pairs = OFF.flatMap((holder) => OFF.map((other): [number, number] => [holder, other]));

describe('in a store that several processes share', () => {
  test.each(pairs)(
    'with clocks off by %d and %d ms: not taken from who renews it, soon taken from who is gone',
    async (holds, asks) => {
      const [holder, other] = [processAt(holds), processAt(asks)];
      const lease = await holder.take(WORK, 'holder', MS);
      for (let n = 0; n < 4; n++) {
        expect(await isTaken(other, 'other')).toBe(false);
        passed += MS / 2;
        expect(await lease?.renew()).toBe(true);
      }
      // No process renews it from now on.
      expect(await isTaken(other, 'other')).toBe(false);
      passed += MS - 1;
      expect(await isTaken(other, 'other')).toBe(false);
      passed += 1;
      expect(await isTaken(other, 'other')).toBe(true);
      expect(await lease?.renew()).toBe(false);
      expect(await isTaken(holder, 'holder')).toBe(false);
    },
  );

  test.each([
    ['an hour', HOUR],
    ['a second', 1_000],
  ])('one of %s is over when it has not changed for its own length', async (_, length) => {
    await world.ports.records.put(SYSTEM_TENANT, WORK.kind, WORK.id, { owner: 'dead', ms: length });
    const leases = processAt(0);
    expect(await isTaken(leases, 'me')).toBe(false);
    passed += length - 1;
    expect(await isTaken(leases, 'me')).toBe(false);
    passed += 1;
    expect(await isTaken(leases, 'me')).toBe(true);
  });

  test('who has it has it again, and what is released is free at once', async () => {
    const [one, other] = [processAt(0), processAt(0)];
    await one.take(WORK, 'one', MS);
    const again = await one.take(WORK, 'one', MS);
    expect(await isTaken(other, 'other')).toBe(false);
    await again?.release();
    expect(await isTaken(other, 'other')).toBe(true);
  });

  test('renewals at once, and one whose answer was lost, do not lose it', async () => {
    const { records } = world.ports;
    let isLost = false;
    const put: typeof records.put = async (...entry) => {
      const revision = await records.put(...entry);
      if (isLost) throw new Error('no answer');
      return revision;
    };
    const lease = await openLeases({ records: { ...records, put }, clock: world.clock }, { isAlone: false }).take(
      WORK,
      'me',
      MS,
    );
    expect(await Promise.all([lease?.renew(), lease?.renew()])).toEqual([true, true]);
    isLost = true;
    await expect(lease?.renew()).rejects.toThrow('no answer');
    isLost = false;
    expect(await lease?.renew()).toBe(true);
    await Promise.all([lease?.renew(), lease?.release()]);
    expect(await isTaken(processAt(0), 'other')).toBe(true);
  });

  test('one of two that ask at once has it', async () => {
    const asked = await Promise.all(['a', 'b', 'c'].map((owner) => isTaken(processAt(0), owner)));
    expect(asked.filter((taken) => taken)).toEqual([true]);
  });
});

describe('alone on a store', () => {
  const alone = () => openLeases({ records: world.ports.records, clock: world.ports.clock }, { isAlone: true });

  test.each([NOW - DAY, NOW + MS, NOW + 30 * DAY])(
    "what another process has left until %d is nobody's",
    async (until) => {
      await world.ports.records.put(SYSTEM_TENANT, WORK.kind, WORK.id, { owner: 'dead', until, ms: MS });
      expect(await isTaken(alone(), 'me')).toBe(true);
    },
  );

  test('one owner in the process has it until it releases it', async () => {
    const leases = alone();
    const lease = await leases.take(WORK, 'one', MS);
    world.clock.advance(DAY);
    expect(await isTaken(leases, 'other')).toBe(false);
    expect(await lease?.renew()).toBe(true);
    await lease?.release();
    expect(await lease?.renew()).toBe(false);
    expect(await isTaken(leases, 'other')).toBe(true);
  });
});
