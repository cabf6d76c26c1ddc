import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { UseCaseContext } from '#application/access/context.ts';
import { type EventWorld, NOW, openEventWorld, TENANT } from '#test/setup/event-world.ts';
import { ClockWatch, confirmClock, SETTLING_MS } from './clock-watch.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let world: EventWorld;
beforeEach(async () => {
  world = await openEventWorld();
});
afterEach(() => world.close());

/** A process on the store; its clock is the world's plus `off`. */
const openProcess = async (owner = 'one', off = 0) => {
  const told: object[] = [];
  const { records, clock } = world.ports;
  const own = { off };
  const watch = new ClockWatch({
    records,
    owner,
    metrics: { gauge() {} },
    clock: { ...clock, now: () => clock.now() + own.off },
    log: { warn: (fields: object) => void told.push(fields), info: (fields: object) => void told.push(fields) },
  });
  await watch.begin();
  return { watch, told, own };
};
const confirm = (permissions: readonly string[] = ['tenants.manage']) => {
  const caller = { permissions: new Set(permissions), id: 'u', username: 'ann', name: 'Ann' };
  return confirmClock({
    ports: world.ports,
    caller,
    tenant: TENANT,
    trail: { address: null },
  } as unknown as UseCaseContext);
};

describe('while the process runs', () => {
  test('a clock that runs a little fast is believed, one that is set is told once', async () => {
    const { watch, told, own } = await openProcess();
    for (let n = 0; n < 100; n++) {
      world.clock.advance(10 * SECOND);
      own.off += 900;
      await watch.tick();
    }
    expect([told, watch.isSettled()]).toEqual([[], true]);
    own.off += 3 * HOUR;
    await watch.tick();
    await watch.tick();
    expect([told, watch.isSettled()]).toEqual([[{ jumpSeconds: 10_800, minutes: 60 }], false]);
    own.off -= 3 * HOUR;
    await watch.tick();
    expect(told.slice(1)).toEqual([{ jumpSeconds: -10_800, minutes: 60 }]);
  });

  test.each([91 * DAY, 2 * HOUR, -2 * HOUR])(
    'set by %d ms it is noticed by who asks, and believed after an hour',
    async (jump) => {
      const { watch, own } = await openProcess();
      own.off += jump;
      expect(watch.isSettled()).toBe(false);
      expect(watch.check()).toMatchObject({ name: 'clock', ok: true, warn: true });
      world.clock.advance(SETTLING_MS - MINUTE);
      expect(watch.isSettled()).toBe(false);
      own.off -= jump;
      expect(watch.isSettled()).toBe(false);
      world.clock.advance(SETTLING_MS - MINUTE);
      expect(watch.isSettled()).toBe(false);
      world.clock.advance(2 * MINUTE);
      expect([watch.isSettled(), watch.check().warn]).toEqual([true, undefined]);
    },
  );

  test('one that differs from the clock of another process is not sure, in either', async () => {
    const [one, other] = [await openProcess('one'), await openProcess('other', 20 * MINUTE)];
    for (let n = 0; n < 3; n++) {
      world.clock.advance(MINUTE);
      await one.watch.tick();
      await other.watch.tick();
    }
    expect([one.watch.isSettled(), other.watch.isSettled()]).toEqual([false, false]);
  });

  test('clocks that differ by less are both believed', async () => {
    const [ours, theirs] = [await openProcess('a'), await openProcess('b', 2 * MINUTE)];
    for (let n = 0; n < 3; n++) {
      world.clock.advance(MINUTE);
      await ours.watch.tick();
      await theirs.watch.tick();
    }
    expect([ours.watch.isSettled(), theirs.watch.isSettled()]).toEqual([true, true]);
  });
});

describe('at a start', () => {
  test.each([
    ['the first one', null, true],
    ['a minute later', MINUTE, true],
    ['after a night', 12 * HOUR, true],
    ['after a week, or a clock that was set', 7 * DAY, false],
    ['with a clock that is 91 days ahead', 91 * DAY, false],
    ['with a clock that was ahead before', -30 * DAY, false],
    ['with a clock that is set back by two hours', -2 * HOUR, false],
  ])('%s', async (_, gap, isSettled) => {
    if (gap !== null) {
      await openProcess();
      world.clock.set(NOW + gap);
    }
    const { watch, told } = await openProcess();
    expect([watch.isSettled(), told.length]).toEqual([isSettled, isSettled ? 0 : 1]);
    world.clock.advance(SETTLING_MS);
    expect(watch.isSettled()).toBe(true);
  });

  test('a restart does not shorten the wait, and a server that is restarted all the time comes to its end', async () => {
    const first = await openProcess();
    first.own.off = 91 * DAY;
    await first.watch.tick();
    const settled: boolean[] = [];
    for (let n = 0; n < 7; n++) {
      const { watch } = await openProcess('one', 91 * DAY);
      settled.push(watch.isSettled());
      for (let minutes = 0; minutes < 11; minutes++) {
        world.clock.advance(MINUTE);
        await watch.tick();
      }
    }
    expect(settled).toEqual([false, false, false, false, false, false, true]);
  });
});

describe('a platform administrator', () => {
  test('confirms the clock, in all processes that agree with it', async () => {
    const [one, wrong] = [await openProcess('one'), await openProcess('wrong')];
    world.clock.set(NOW + 2 * HOUR);
    wrong.own.off = 91 * DAY;
    expect([one.watch.isSettled(), wrong.watch.isSettled()]).toEqual([false, false]);
    world.clock.advance(MINUTE);
    await confirm();
    await one.watch.tick();
    await wrong.watch.tick();
    expect([one.watch.isSettled(), wrong.watch.isSettled()]).toEqual([true, false]);
  });

  test('has to say so anew after each jump, and nobody else may', async () => {
    await confirm();
    world.clock.advance(HOUR);
    const { watch, own } = await openProcess();
    own.off = 2 * MINUTE;
    await watch.tick();
    expect(watch.isSettled()).toBe(false);
    await expect(confirm([])).rejects.toMatchObject({ kind: 'forbidden' });
  });
});
