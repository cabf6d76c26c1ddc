import { expect, test } from '@jest/globals';
import type { RecordStore } from '#domain/ports/record-store.ts';
import { openRecordStore } from '#infra/embedded/record-store.ts';
import { openEmbedded } from '#test/setup/embedded.ts';
import { setClock } from '#test/setup/set-clock.ts';
import { REMEMBERED_MS, rememberedRecords } from './remembered-records.ts';

const SETTINGS = ['acme', 'settings', 'correlation'] as const;

/** Two processes on one store, which is counted and can be made slow. */
const open = () => {
  const clock = setClock(0);
  const { database, tables } = openEmbedded('memory');
  const store = openRecordStore(database, tables.records, clock);
  const seen = { gets: 0, before: async (): Promise<void> => undefined };
  const counted: RecordStore = {
    ...store,
    async get<T>(tenant: string, kind: string, id: string) {
      seen.gets += 1;
      const found = await store.get<T>(tenant, kind, id);
      await seen.before();
      return found;
    },
  };
  const [one, other] = [rememberedRecords(counted, clock.now), rememberedRecords(counted, clock.now)];
  const bodyIn = async (records: RecordStore, ...at: readonly [string, string, string]) =>
    (await records.get(...at))?.body ?? null;
  return { clock, one, other, seen, bodyIn };
};

test('settings are read once, also by requests that come together, and also when there are none', async () => {
  const { one, seen, bodyIn } = open();
  expect(await Promise.all([bodyIn(one, ...SETTINGS), bodyIn(one, ...SETTINGS)])).toEqual([null, null]);
  await bodyIn(one, ...SETTINGS);
  expect(seen.gets).toBe(1);
  await bodyIn(one, 'other', 'settings', 'correlation');
  await bodyIn(one, 'acme', 'settings', 'inbound');
  expect(seen.gets).toBe(3);
});

test('own changes are seen at once, those of another process after 2 s', async () => {
  const { clock, one, other, bodyIn } = open();
  await Promise.all([bodyIn(one, ...SETTINGS), bodyIn(other, ...SETTINGS)]);
  await one.put(...SETTINGS, 'new');
  expect([await bodyIn(one, ...SETTINGS), await bodyIn(other, ...SETTINGS)]).toEqual(['new', null]);
  clock.advance(REMEMBERED_MS - 1);
  expect(await bodyIn(other, ...SETTINGS)).toBeNull();
  clock.advance(1);
  expect(await bodyIn(other, ...SETTINGS)).toBe('new');
  await one.remove(...SETTINGS);
  expect(await bodyIn(one, ...SETTINGS)).toBeNull();
});

test('a change that was refused makes the next read a fresh one', async () => {
  const { one, other, bodyIn } = open();
  await bodyIn(one, ...SETTINGS);
  await other.put(...SETTINGS, 'theirs');
  await expect(one.put(...SETTINGS, 'mine', { expected: 0 })).rejects.toMatchObject({ kind: 'precondition' });
  expect(await bodyIn(one, ...SETTINGS)).toBe('theirs');
});

test('what was read before a change and answered after it is not kept', async () => {
  const { one, seen, bodyIn } = open();
  const { promise, resolve } = Promise.withResolvers<void>();
  seen.before = () => promise;
  const slow = bodyIn(one, ...SETTINGS);
  await one.put(...SETTINGS, 'new');
  resolve();
  expect([await slow, await bodyIn(one, ...SETTINGS)]).toEqual([null, 'new']);
});

test('a read that failed is made again', async () => {
  const { one, seen, bodyIn } = open();
  seen.before = async () => {
    throw new Error('down');
  };
  await expect(bodyIn(one, ...SETTINGS)).rejects.toThrow('down');
  seen.before = async () => undefined;
  expect(await bodyIn(one, ...SETTINGS)).toBeNull();
});

test('credentials and all other records are always read', async () => {
  const { one, seen, bodyIn } = open();
  for (let i = 0; i < 3; i++) await bodyIn(one, 'acme', 'token', 't1');
  expect(seen.gets).toBe(3);
});

test('the longest known goes when there are more than 10,000', async () => {
  const { one, seen, bodyIn } = open();
  for (let n = 0; n <= 10_000; n++) await bodyIn(one, `t${n}`, 'settings', 'correlation');
  await bodyIn(one, 't10000', 'settings', 'correlation');
  expect(seen.gets).toBe(10_001);
  await bodyIn(one, 't0', 'settings', 'correlation');
  expect(seen.gets).toBe(10_002);
});
