import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { CallerCache } from '#application/access/authenticate.ts';
import { openMemory } from '#application/open-memory.ts';
import type { Memory } from '#domain/ports/memory.ts';
import type { RecordStore } from '#domain/ports/record-store.ts';
import { paced } from './paced.ts';

/** Pauses after 10 ms of work. */
const REST = { withRoom: 10, busy: 40 };

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const emptyMemory = (): Memory => openMemory({} as RecordStore, new CallerCache());

/** Work of 10 ms during which the clock is set by `setBy`, and its pause after it, ms. */
const open = ({ setBy = 0, busy = 0.9, memory = emptyMemory() } = {}) => {
  let [now, worked] = [0, 0];
  const work = async (): Promise<void> => {
    now += 10 + setBy;
    worked += 10;
  };
  const clock = { now: () => now, steady: () => worked + jest.now(), busy: () => () => busy };
  const sink = paced(work, { clock, memory });
  const signal = new AbortController().signal;
  return async (lag: number, isPipelineLate = false): Promise<number> => {
    const began = jest.now();
    let ended = began;
    const taking = sink.take([], { lag, isPipelineLate, signal }).then(() => {
      ended = jest.now();
    });
    await jest.runAllTimersAsync();
    await taking;
    return ended - began;
  };
};

test('it rests by how long the work took, also when the clock is set meanwhile', async () => {
  expect([await open()(5), await open({ setBy: 20_000 })(5)]).toEqual([REST.busy, REST.busy]);
});

test('it rests after work behind which more waits, and not after other work', async () => {
  const restAfter = open();
  expect([await restAfter(0), await restAfter(5), await restAfter(5)]).toEqual([0, REST.busy, REST.busy]);
});

test('while the thread has little else to do it rests as long as it worked', async () => {
  expect(await open({ busy: 0.2 })(5)).toBe(REST.withRoom);
});

test('while new events wait for the pipeline it lets them go first, also with nothing behind it', async () => {
  const restAfter = open({ busy: 0.2 });
  expect([await restAfter(5, true), await restAfter(0, true)]).toEqual([REST.busy, REST.busy]);
});

test('several of them together take no more than one', async () => {
  const memory = emptyMemory();
  const all = Array.from({ length: 3 }, () => open({ memory }));
  const rests = await Promise.all(all.map((restAfter) => restAfter(5)));
  expect(rests.sort((a, b) => a - b)).toEqual([REST.busy, 2 * REST.busy, 3 * REST.busy]);
});
