import { expect, test } from '@jest/globals';
import type { Admin } from 'kafkajs';
import { committedOf } from './committed.ts';

const READER = { group: 'faultline.1.merge', topic: 'correlation.hits' };
const answering = (...partitions: { partition: number; offset: string; metadata: string | null }[]) => ({
  fetchOffsets: (async ({ topics }) => [{ topic: topics?.[0] ?? '', partitions }]) as Admin['fetchOffsets'],
});

test.each([
  [0, { offset: 7, metadata: '41/9' }],
  [1, { offset: 3, metadata: '' }],
  [2, null],
  [3, null],
])('partition %d begins at %j', async (partition, expected) => {
  const admin = answering(
    { partition: 0, offset: '7', metadata: '41/9' },
    { partition: 1, offset: '3', metadata: null },
    { partition: 2, offset: '-1', metadata: null },
  );
  expect(await committedOf(admin, READER, partition)).toEqual(expected);
});

test('brokers that do not answer are waited for only so long, and the error names group, topic and partition', async () => {
  const silent = { fetchOffsets: () => new Promise<never>(() => undefined) };
  await expect(committedOf(silent, READER, 2, 20)).rejects.toMatchObject({
    kind: 'unavailable',
    message: "Couldn't get the committed offset of faultline.1.merge for correlation.hits, partition 2 within 0.02s",
  });
});

test('an error of the broker comes through', async () => {
  const refusing = { fetchOffsets: async () => Promise.reject(new Error('not authorised')) };
  await expect(committedOf(refusing, READER, 2)).rejects.toThrow('not authorised');
});
