import { describe, expect, test } from '@jest/globals';
import { Fault } from '#domain/fault.ts';
import type { Binding, BindingQuery } from '#domain/topology/binding.ts';
import { setClock } from '#test/setup/set-clock.ts';
import { openBindings } from './bindings.ts';

const binding = (id: string): Binding => ({
  ci: { id, name: id, type: 'server' },
  method: 'name' as const,
  ambiguous: false,
});
const host = (hostname: string): BindingQuery => ({ hostname });

/** A store that binds a host to the CI `host/round`, and records its requests. */
const open = () => {
  const clock = setClock(0);
  const asked: string[][] = [];
  const store = { round: 1, before: async (): Promise<void> => undefined };
  const look = async (tenant: string, queries: readonly BindingQuery[]): Promise<Binding[]> => {
    asked.push(queries.map(({ hostname }) => `${tenant}/${hostname}`));
    const { round } = store;
    await store.before();
    return queries.map(({ hostname }) => binding(`${hostname}/${round}`));
  };
  const { bind, bindInTime, invalidate } = openBindings({ look, lookOnce: look, clock, patienceMs: 20 });
  const bound = async (tenant: string, ...hosts: string[]) =>
    (await bind(tenant, hosts.map(host))).map(({ ci }) => ci?.id);
  const inTime = async (tenant: string, ...hosts: string[]) =>
    (await bindInTime(tenant, hosts.map(host))).map((found) => found?.ci?.id ?? null);
  return { clock, asked, store, bound, inTime, invalidate };
};

test('what is not known yet is asked for, each once', async () => {
  const { asked, bound } = open();
  expect(await bound('t', 'a', 'b', 'a')).toEqual(['a/1', 'b/1', 'a/1']);
  expect(await bound('t', 'c', 'b')).toEqual(['c/1', 'b/1']);
  expect(await bound('t', 'a', 'b', 'c')).toEqual(['a/1', 'b/1', 'c/1']);
  expect(await bound('u', 'a')).toEqual(['a/1']);
  expect(asked).toEqual([['t/a', 't/b'], ['t/c'], ['u/a']]);
});

test.each([['t'], [null]])('a change is seen at once (%s)', async (tenant) => {
  const { asked, store, bound, invalidate } = open();
  await bound('t', 'a');
  await bound('u', 'a');
  store.round = 2;
  invalidate(tenant);
  expect(await bound('t', 'a')).toEqual(['a/2']);
  expect(await bound('u', 'a')).toEqual([tenant === null ? 'a/2' : 'a/1']);
  expect(asked).toHaveLength(tenant === null ? 4 : 3);
});

test('what was read before a change and answered after it is not kept', async () => {
  const { store, bound, invalidate } = open();
  const { promise, resolve } = Promise.withResolvers<void>();
  store.before = () => promise;
  const slow = bound('t', 'a');
  store.round = 2;
  invalidate('t');
  resolve();
  await slow;
  expect(await bound('t', 'a')).toEqual(['a/2']);
});

test('an unannounced change is seen after 60 s', async () => {
  const { clock, store, bound } = open();
  await bound('t', 'a');
  store.round = 2;
  clock.advance(60_000);
  expect(await bound('t', 'a')).toEqual(['a/1']);
  clock.advance(1);
  expect(await bound('t', 'a')).toEqual(['a/2']);
});

test('100,000 are held, then the tenant that was asked for first goes', async () => {
  const { asked, bound } = open();
  await bound('t', 'a');
  const hosts = Array.from({ length: 100_000 }, (_, n) => `h${n}`);
  await bound('u', ...hosts);
  asked.length = 0;
  await bound('u', 'h0', 'h99999');
  expect(asked).toEqual([]);
  await bound('t', 'a');
  expect(asked).toEqual([['t/a']]);
});

describe('In time', () => {
  const down = () => Promise.reject(new Fault('unavailable', 'down'));

  test('a store that hangs is waited for once, then left alone', async () => {
    const { asked, store, inTime } = open();
    const { promise, resolve } = Promise.withResolvers<void>();
    store.before = () => promise;
    expect(await inTime('t', 'a')).toEqual([null]);
    expect(await inTime('t', 'b')).toEqual([null]);
    expect(await inTime('u', 'b')).toEqual([null]);
    expect(asked).toEqual([['t/a']]);
    resolve();
  });

  test('an answer that came too late is there for the next caller', async () => {
    const { asked, store, inTime } = open();
    const { promise, resolve } = Promise.withResolvers<void>();
    store.before = () => promise;
    expect(await inTime('t', 'a')).toEqual([null]);
    resolve();
    await new Promise(setImmediate);
    expect(await inTime('t', 'a', 'b')).toEqual(['a/1', 'b/1']);
    expect(asked).toEqual([['t/a'], ['t/b']]);
  });

  test('expired answers are given while the store is down, and not after a change', async () => {
    const { clock, store, inTime, invalidate } = open();
    await inTime('t', 'a');
    clock.advance(60_001);
    store.before = down;
    store.round = 2;
    expect(await inTime('t', 'a', 'b')).toEqual(['a/1', null]);
    clock.advance(60_001);
    expect(await inTime('t', 'a', 'b')).toEqual(['a/1', null]);
    invalidate('t');
    expect(await inTime('t', 'a')).toEqual([null]);
  });

  test('an expired answer is not believed while the store answers', async () => {
    const { clock, store, inTime } = open();
    await inTime('t', 'a');
    clock.advance(60_001);
    store.round = 2;
    expect(await inTime('t', 'a')).toEqual(['a/2']);
  });

  test('who waits for the store hears that it is down', async () => {
    const { store, bound } = open();
    store.before = down;
    await expect(bound('t', 'a')).rejects.toMatchObject({ kind: 'unavailable' });
  });
});
