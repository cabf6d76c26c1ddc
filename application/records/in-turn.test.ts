import { expect, test } from '@jest/globals';
import { CallerCache } from '#application/access/authenticate.ts';
import { openMemory } from '#application/open-memory.ts';
import { openRecordStore } from '#infra/embedded/record-store.ts';
import { openEmbedded } from '#test/setup/embedded.ts';
import { randomIds } from '#test/setup/random-ids.ts';
import { setClock } from '#test/setup/set-clock.ts';
import { inTurn } from './in-turn.ts';

const open = () => {
  const { database, tables } = openEmbedded('memory');
  const records = openRecordStore(database, tables.records, setClock(0));
  const process = () => ({ records, ids: randomIds, memory: openMemory(records, new CallerCache()) });
  return { records, process };
};
type Process = ReturnType<ReturnType<typeof open>['process']>;

const count = async ({ records }: Process, between: () => Promise<unknown> = async () => undefined): Promise<void> => {
  const stored = await records.get<number>('t', 'count', 'one');
  await between();
  await records.put('t', 'count', 'one', (stored?.body ?? 0) + 1, { expected: stored?.revision ?? 0 });
};
const counted = (process: Process, ifMatch: string | null = null) =>
  inTurn(process, { of: ['count', 't', 'one'], ifMatch }, () => count(process, () => new Promise(setImmediate)));

test('two processes that change one record at once make all changes', async () => {
  const { records, process } = open();
  const both = [process(), process()];
  await Promise.all(Array.from({ length: 40 }, (_, n) => counted(both[n % 2]!)));
  expect((await records.get<number>('t', 'count', 'one'))?.body).toBe(40);
});

test('who never gets by is told to try again, and whoever named a revision that there is another', async () => {
  const { process } = open();
  const one = process();
  const never = (ifMatch: string | null) =>
    inTurn(one, { of: ['count', 't', 'one'], ifMatch }, () => count(one, () => count(one)));
  await expect(never('"1"')).rejects.toMatchObject({ kind: 'precondition' });
  await expect(never(null)).rejects.toMatchObject({ kind: 'unavailable', retryAfter: 1 });
});

test('what fails holds up nothing', async () => {
  const { records, process } = open();
  const one = process();
  const turn = { of: ['count', 't', 'one'], ifMatch: null } as const;
  const failing = inTurn(one, turn, () => Promise.reject(new Error('no')));
  const next = counted(one);
  await expect(failing).rejects.toThrow('no');
  await next;
  expect((await records.get<number>('t', 'count', 'one'))?.body).toBe(1);
});
