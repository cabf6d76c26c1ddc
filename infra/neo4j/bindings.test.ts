import { expect, test } from '@jest/globals';
import type { Binding, BindingQuery } from '#domain/ports/topology-store.ts';
import { setClock } from '#test/setup/set-clock.ts';
import { openBindings } from './bindings.ts';

const binding = (id: string): Binding => ({
  ...{ ci: { id, name: id, type: 'server' }, method: 'name' as const, ambiguous: false },
});
const host = (hostname: string): BindingQuery => ({ hostname });

/** A store that binds a host to the CI `host/round`, and notes what it is asked. */
const open = () => {
  const clock = setClock(0);
  const asked: string[][] = [];
  const store = { round: 1, before: async (): Promise<void> => undefined };
  const { bind, invalidate } = openBindings(async (tenant, queries) => {
    asked.push(queries.map(({ hostname }) => `${tenant}/${hostname}`));
    const { round } = store;
    await store.before();
    return queries.map(({ hostname }) => binding(`${hostname}/${round}`));
  }, clock);
  const bound = async (tenant: string, ...hosts: string[]) =>
    (await bind(tenant, hosts.map(host))).map(({ ci }) => ci?.id);
  return { clock, asked, store, bound, invalidate };
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
