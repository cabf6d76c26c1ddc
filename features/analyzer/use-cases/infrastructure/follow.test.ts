import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { Fault } from '#domain/fault.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { bringSearches } from '#features/analyzer/stores/searches-for-tests.ts';
import { openRecordWorld, type RecordWorld, TENANT } from '#test/setup/record-world.ts';
import { followAnalysis, MAX_STREAMS, type ToldProgress } from './follow.ts';
import type { ProgressEvent } from './progress-event.ts';
import { ANALYSIS_KINDS, type AnalysisSession, appendEvent } from './records.ts';

const ID = 'session-1';
const AT = Date.parse('2026-11-20T12:00:00Z');
const SESSION: AnalysisSession = {
  id: ID,
  status: 'running',
  startedAt: AT,
  completedAt: null,
  by: 'ann',
  error: null,
  parts: {},
  counts: {},
};
const COMPLETE: ProgressEvent = { type: 'complete', totalServices: 1, discoveredAt: '2026-11-20T12:00:00.000Z' };
const progress = (current: number): ProgressEvent => ({
  type: 'progress',
  step: 'load',
  message: 'Reading',
  current,
  total: 9,
});

async function openWorld(...events: readonly ProgressEvent[]): Promise<RecordWorld> {
  const world = openRecordWorld(bringSearches);
  await world.ports.records.put(TENANT, ANALYSIS_KINDS.session, ID, SESSION);
  for (const [i, event] of events.entries()) await appendEvent(world.ports.records, TENANT, SESSION, i + 1, event);
  return world;
}
const follow = (ports: Ports, seen = 0, signal: AbortSignal = new AbortController().signal) =>
  followAnalysis({ tenant: TENANT, ports }, { sessionId: ID, seen, signal });

const heard = async (told: AsyncIterable<ToldProgress> | null): Promise<number[]> => {
  const numbers: number[] = [];
  for await (const { n } of told!) numbers.push(n);
  return numbers;
};

afterEach(() => void jest.useRealTimers());

describe('A listener', () => {
  test.each([
    [0, [1, 2, 3]],
    [2, [3]],
  ])('that has seen %i is told %j, and all is told then', async (seen, numbers) => {
    using world = await openWorld(progress(1), progress(2), COMPLETE);
    expect(await heard(await follow(world.ports, seen))).toEqual(numbers);
    expect(world.ports.memory.streams.size).toBe(0);
  });

  test.each([3, 9])('that has seen %i of three has seen all', async (seen) => {
    using world = await openWorld(progress(1), progress(2), COMPLETE);
    expect(await follow(world.ports, seen)).toBeNull();
  });

  test('that says it has seen more than there is hears what comes', async () => {
    using world = await openWorld(progress(1));
    const { ports } = world;
    const told = heard(await follow(ports, 7));
    await appendEvent(ports.records, TENANT, SESSION, 2, COMPLETE);
    expect(await told).toEqual([2]);
  });

  test('whose last event is no longer kept goes on with the first that is', async () => {
    using world = await openWorld(progress(1), progress(2), progress(3), COMPLETE);
    const { ports } = world;
    for (const n of [1, 2]) await ports.records.remove(TENANT, ANALYSIS_KINDS.event, `${ID}/00000${n}`);
    expect(await heard(await follow(ports, 0))).toEqual([3, 4]);
    expect(await heard(await follow(ports, 1))).toEqual([3, 4]);
  });

  test('hears what another process tells at its next look, and without one what this one tells', async () => {
    using world = await openWorld(progress(1));
    const { ports } = world;
    const told = await follow(ports);
    const iterator = told![Symbol.asyncIterator]();
    expect((await iterator.next()).value).toMatchObject({ n: 1 });
    const second = iterator.next();
    await appendEvent(ports.records, TENANT, SESSION, 2, progress(2));
    expect((await second).value).toMatchObject({ n: 2 });
    // From here on no time passes.
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
    const third = iterator.next();
    await appendEvent(ports.records, TENANT, SESSION, 3, COMPLETE);
    for (const hear of ports.memory.streams.get(TENANT)!) hear();
    expect((await third).value).toMatchObject({ n: 3 });
  });

  test('that hangs up is forgotten', async () => {
    using world = await openWorld(progress(1));
    const { ports } = world;
    const hanging = new AbortController();
    const told = heard(await follow(ports, 0, hanging.signal));
    setTimeout(() => hanging.abort(), 50);
    expect(await told).toEqual([1]);
    expect(ports.memory.streams.size).toBe(0);
  });

  test('is let go when the store does not answer: it comes again', async () => {
    using world = await openWorld(progress(1), progress(2));
    const { ports } = world;
    let reads = 0;
    const get: Ports['records']['get'] = async (...given) => {
      reads += 1;
      if (reads > 3) throw new Fault('unavailable', 'gone');
      return ports.records.get(...given);
    };
    expect(await heard(await follow({ ...ports, records: { ...ports.records, get } }))).toEqual([1]);
  });
});

test('no more than fifty listen to a tenant', async () => {
  using world = await openWorld(progress(1));
  const { ports } = world;
  const hanging = new AbortController();
  const all = await Promise.all(Array.from({ length: MAX_STREAMS }, () => follow(ports, 0, hanging.signal)));
  const listening = all.map(heard);
  await new Promise((resolve) => setTimeout(resolve, 20));
  await expect(follow(ports)).rejects.toMatchObject({ kind: 'rate-limited' });
  hanging.abort();
  await Promise.all(listening);
  expect(await follow(ports)).not.toBeNull();
});

test('a session that is not there', async () => {
  using world = openRecordWorld(bringSearches);
  await expect(follow(world.ports)).rejects.toMatchObject({ kind: 'not-found' });
});
