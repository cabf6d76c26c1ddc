import { expect, test } from '@jest/globals';
import type { Run, Values } from '#infra/neo4j/client/client.ts';
import { openLoader } from './arrival-context.ts';
import { emptyGraphCache } from './graph-cache.ts';

const EXISTING = new Set(Array.from({ length: 2_500 }, (_, n) => `ci-${n}`));

/** Answers like the server, on command; `asked` has the ids of each query. */
const openServer = () => {
  const asked: string[][] = [];
  let down: Error | null = null;
  let gate: Promise<unknown> = Promise.resolve();
  const read = async (_statement: string, values?: Values) => {
    const ids = values!.ids as string[];
    asked.push(ids);
    await gate;
    if (down !== null) throw down;
    return ids.filter((id) => EXISTING.has(id)).map((id) => ({ id, ended: null, up: [], down: [] }));
  };
  return {
    asked,
    read: read as unknown as Run,
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      gate = promise;
      return resolve;
    },
    fail(error: Error | null) {
      down = error;
    },
  };
};

const someTurns = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
};

test('what is asked for in one turn is one query, each CI once', async () => {
  const { asked, read } = openServer();
  const load = openLoader(read);
  const cache = emptyGraphCache(0);
  const after = async (hops: number, ids: readonly string[]) => {
    for (let hop = 0; hop < hops; hop += 1) await null;
    return load('acme', cache, ids);
  };
  const [first, second] = await Promise.all([after(0, ['ci-1', 'ci-2']), after(9, ['ci-2', 'ci-3', 'unknown'])]);
  expect(asked).toEqual([['ci-1', 'ci-2', 'ci-3', 'unknown']]);
  expect([...first]).toEqual(['ci-1', 'ci-2', 'ci-3']);
  expect(second).toBe(first);
  expect(cache.whole.size).toBe(3);
});

test('requests made during a read share the next one, and other caches do not wait', async () => {
  const server = openServer();
  const load = openLoader(server.read);
  const [cache, another] = [emptyGraphCache(0), emptyGraphCache(0)];
  const release = server.hold();
  const first = load('acme', cache, ['ci-1']);
  await someTurns();
  const later = [load('acme', cache, ['ci-2']), load('acme', another, ['ci-9'])];
  await someTurns();
  later.push(load('acme', cache, ['ci-3']));
  expect(server.asked).toEqual([['ci-1'], ['ci-9']]);
  release();
  await Promise.all([first, ...later]);
  expect(server.asked).toEqual([['ci-1'], ['ci-9'], ['ci-2', 'ci-3']]);
});

test('a reading that fails fails for all who share it, and for nobody after', async () => {
  const server = openServer();
  const load = openLoader(server.read);
  const cache = emptyGraphCache(0);
  server.fail(new Error('the server is gone'));
  const results = await Promise.allSettled([load('acme', cache, ['ci-1']), load('acme', cache, ['ci-2'])]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  server.fail(null);
  expect([...(await load('acme', cache, ['ci-1']))]).toEqual(['ci-1']);
});

test('many are read in several queries', async () => {
  const { asked, read } = openServer();
  const found = await openLoader(read)('acme', emptyGraphCache(0), [...EXISTING]);
  expect(asked.map((ids) => ids.length)).toEqual([1_000, 1_000, 500]);
  expect(found.size).toBe(2_500);
});
