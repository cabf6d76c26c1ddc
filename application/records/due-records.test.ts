import { beforeEach, expect, test } from '@jest/globals';
import { CallerCache } from '#application/access/authenticate.ts';
import { openMemory } from '#application/open-memory.ts';
import type { RecordStore } from '#domain/ports/record-store.ts';
import { openRecordStore } from '#infra/embedded/record-store.ts';
import { openEmbedded } from '#test/setup/embedded.ts';
import { randomIds } from '#test/setup/random-ids.ts';
import { type SetClock, setClock } from '#test/setup/set-clock.ts';
import { dueByTenant, eachDue, markDue } from './due-records.ts';

const SECOND = 1_000;
const AFTER = { quietMs: 30 * SECOND, latestMs: 300 * SECOND };

let clock: SetClock;
let records: RecordStore;
beforeEach(() => {
  clock = setClock(0);
  const { database, tables } = openEmbedded('memory');
  records = openRecordStore(database, tables.records, clock);
});

const mark = (id: string, word: string = id) =>
  markDue(
    { records, clock, ids: randomIds, memory: openMemory(records, new CallerCache()) },
    ['kind', id],
    { tenant: 't', word },
    AFTER,
  );
const look = async (most = 100, whenLooking: (what: string) => Promise<void> = async () => undefined) => {
  const seen: string[] = [];
  const options = { most, isStopping: () => false, failed: (count: number) => `${count} failed` };
  const done = eachDue<{ tenant: string; word: string }>({ records, clock }, 'kind', options, async ({ word }) => {
    seen.push(word);
    await whenLooking(word);
  });
  await done.catch((error: Error) => seen.push(error.message));
  return seen;
};

test('it is looked at once, when it was quiet for so long, as it was at last', async () => {
  await mark('g', 'first');
  clock.advance(29 * SECOND);
  await mark('g', 'second');
  clock.advance(29 * SECOND);
  expect(await look()).toEqual([]);
  clock.advance(SECOND);
  expect(await look()).toEqual(['second']);
  expect(await look()).toEqual([]);
});

test('it is looked at after some minutes though it is never quiet', async () => {
  for (let at = 0; at < 300; at += 20) {
    await mark('g');
    expect(await look()).toEqual([]);
    clock.advance(20 * SECOND);
  }
  expect(await look()).toEqual(['g']);
});

test('what changes while it is looked at stays due', async () => {
  await mark('g', 'before');
  clock.advance(30 * SECOND);
  expect(await look(1, () => mark('g', 'meanwhile'))).toEqual(['before']);
  clock.advance(30 * SECOND);
  expect(await look()).toEqual(['meanwhile']);
  expect(await look()).toEqual([]);
});

test('of many the longest due come first, a page of records is no limit, and one that fails is tried again', async () => {
  for (let n = 0; n < 1_100; n += 1) await mark(`a-${String(n).padStart(4, '0')}`);
  clock.advance(SECOND);
  await mark('b');
  clock.set(-SECOND);
  await mark('z');
  clock.set(60 * SECOND);
  const fail = async (what: string): Promise<void> => {
    if (what === 'z') throw new Error('no');
  };
  expect(await look(2, fail)).toEqual(['z', 'a-0000', '1 failed']);
  expect(await look(2_000)).toHaveLength(1_101);
  expect(await look()).toEqual([]);
});

test('those of a tenant are looked at together, and alone when that fails, so that one alone stays due', async () => {
  for (const id of ['a', 'b', 'c']) await mark(id);
  clock.advance(30 * SECOND);
  const seen: string[] = [];
  const options = { most: 10, atOnce: 2, isStopping: () => false, failed: (count: number) => `${count} failed` };
  const lookTogether = (bad: string) =>
    dueByTenant<{ tenant: string; word: string }>({ records, clock }, 'kind', options, async (tenant, all) => {
      seen.push(`${tenant} ${all.map(({ word }) => word).join('')}`);
      if (all.some(({ word }) => word === bad)) throw new Error('no');
    });
  await expect(lookTogether('b')).rejects.toThrow('1 failed');
  expect(seen.splice(0)).toEqual(['t ab', 't a', 't b', 't c']);
  await lookTogether('none');
  expect(seen).toEqual(['t b']);
});
