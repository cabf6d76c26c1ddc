import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Clock } from '#domain/ports/clock.ts';
import type { RecordStore } from '#domain/ports/record-store.ts';
import { type SetClock, setClock } from '#test/setup/set-clock.ts';
import type { Opened } from './opened.ts';
import { NOON } from './samples.ts';

export function recordStoreContract(name: string, open: (clock: Clock) => Promise<Opened<RecordStore>>) {
  describe(`${name} keeps the RecordStore contract`, () => {
    let store: RecordStore;
    let clock: SetClock;
    let close: () => Promise<void>;
    beforeEach(async () => {
      clock = setClock(NOON);
      ({ store, close } = await open(clock));
    });
    afterEach(() => close());

    test('gives back what was put, with a revision that grows', async () => {
      const body = { name: 'Kim', tags: ['a'], nested: { n: null } };
      expect(await store.put('acme', 'user', 'u1', body)).toBe(1);
      expect(await store.get('acme', 'user', 'u1')).toEqual({ id: 'u1', revision: 1, body });
      expect(await store.put('acme', 'user', 'u1', { name: 'Lee' })).toBe(2);
      expect(await store.get('acme', 'user', 'u1')).toEqual({ id: 'u1', revision: 2, body: { name: 'Lee' } });
      expect(await store.get('acme', 'user', 'u2')).toBeNull();
    });

    test.each([
      ['must not exist, and does not', 'new', 0, true],
      ['must not exist, but does', 'old', 0, false],
      ['is at the expected revision', 'old', 1, true],
      ['is at another revision', 'old', 2, false],
      ['is expected, but is not there', 'new', 1, false],
    ])('a put when the record %s', async (_name, id, expected, allowed) => {
      await store.put('acme', 'user', 'old', 'first');
      const put = store.put('acme', 'user', id, 'second', { expected });
      if (allowed) expect(await put).toBe(expected + 1);
      else await expect(put).rejects.toMatchObject({ name: 'Fault', kind: 'precondition' });
      expect((await store.get('acme', 'user', 'old'))?.body).toBe(allowed && id === 'old' ? 'second' : 'first');
    });

    test('of several puts that expect one revision a single one succeeds', async () => {
      const puts = [1, 2, 3].map((n) => store.put('acme', 'lock', 'l', n, { expected: 0 }));
      const done = (await Promise.allSettled(puts)).filter(({ status }) => status === 'fulfilled');
      expect(done).toHaveLength(1);
    });

    test('is gone from the moment it expires', async () => {
      await store.put('acme', 'lease', 'l', 1, { expiresAt: NOON + 10 });
      clock.set(NOON + 9);
      expect(await store.get('acme', 'lease', 'l')).not.toBeNull();
      clock.set(NOON + 10);
      expect(await store.get('acme', 'lease', 'l')).toBeNull();
      expect(await store.list('acme', 'lease', { limit: 9 })).toEqual([]);
      expect(await store.remove('acme', 'lease', 'l')).toBe(false);
      expect(await store.put('acme', 'lease', 'l', 2, { expected: 0 })).toBe(1);
      expect((await store.get('acme', 'lease', 'l'))?.body).toBe(2);
    });

    test('a put without an expiry keeps the record for ever', async () => {
      await store.put('acme', 'lease', 'l', 1, { expiresAt: NOON + 10 });
      await store.put('acme', 'lease', 'l', 2);
      clock.set(NOON + 11);
      expect((await store.get('acme', 'lease', 'l'))?.body).toBe(2);
    });

    test('removes once', async () => {
      await store.put('acme', 'user', 'u1', 1);
      expect(await store.remove('acme', 'user', 'u1')).toBe(true);
      expect(await store.remove('acme', 'user', 'u1')).toBe(false);
      expect(await store.get('acme', 'user', 'u1')).toBeNull();
    });

    test.each([
      [{ limit: 9 }, ['a', 'b', 'c', 'd']],
      [{ limit: 2 }, ['a', 'b']],
      [{ limit: 2, after: 'b' }, ['c', 'd']],
      [{ limit: 9, descending: true }, ['d', 'c', 'b', 'a']],
      [{ limit: 2, after: 'c', descending: true }, ['b', 'a']],
      [{ limit: 9, after: 'd' }, []],
    ])('lists by id: %j', async (options, expected) => {
      for (const id of ['c', 'a', 'd', 'b']) await store.put('acme', 'user', id, id);
      await store.put('acme', 'token', 'b2', 'other kind');
      expect((await store.list('acme', 'user', options)).map(({ id }) => id)).toEqual(expected);
    });

    test('a foreign tenant finds, changes and removes nothing', async () => {
      await store.put('acme', 'user', 'u1', 'ours');
      expect(await store.get('other', 'user', 'u1')).toBeNull();
      expect(await store.list('other', 'user', { limit: 9 })).toEqual([]);
      expect(await store.remove('other', 'user', 'u1')).toBe(false);
      expect(await store.put('other', 'user', 'u1', 'theirs', { expected: 0 })).toBe(1);
      expect((await store.get('acme', 'user', 'u1'))?.body).toBe('ours');
    });
  });
}
