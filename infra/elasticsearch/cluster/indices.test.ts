import { expect, test } from '@jest/globals';
import type { Connection } from './connection.ts';
import { Indices } from './indices.ts';
import { Names } from './names.ts';

const open = (isUrgent = true) => {
  const refreshes: string[] = [];
  const pauses: number[] = [];
  const connection = { askPatiently: async () => void refreshes.push('refresh') } as unknown as Connection;
  const pause = async (ms: number): Promise<void> => void pauses.push(ms);
  return { indices: new Indices(connection, new Names('t'), () => isUrgent, pause), refreshes, pauses };
};

test('a list is refreshed once after saves of its scope, and not after saves of others', async () => {
  const { indices, refreshes } = open();
  const after = async (scope?: string): Promise<number> => {
    await indices.fresh('records', scope);
    return refreshes.length;
  };
  indices.wrote('records', ['a', 'b']);
  expect([await after('c'), await after('a'), await after('b'), await after()]).toEqual([0, 1, 1, 1]);
  indices.wrote('records', ['b']);
  expect([await after('a'), await after('b'), await after()]).toEqual([1, 2, 2]);
});

test('a save during a refresh needs another one', async () => {
  const { indices, refreshes } = open();
  indices.wrote('records', ['a']);
  const first = indices.fresh('records', 'a');
  indices.wrote('records', ['a']);
  await first;
  await indices.fresh('records', 'a');
  expect(refreshes).toHaveLength(2);
});

test('background work that goes on for long shares the refresh of a second, and requests never wait', async () => {
  for (const isUrgent of [true, false]) {
    const { indices, refreshes, pauses } = open(isUrgent);
    await Promise.all([indices.refreshCalmly('events'), indices.refreshCalmly('events')]);
    expect(refreshes).toHaveLength(1);
    for (let n = 1; n < 12; n++) await indices.refreshCalmly('events');
    expect(refreshes).toHaveLength(12);
    expect(pauses.filter((ms) => ms > 0)).toHaveLength(isUrgent ? 0 : 2);
    expect(pauses).toHaveLength(isUrgent ? 0 : 12);
  }
});
