import { expect, test } from '@jest/globals';
import type { Admin } from 'kafkajs';
import { openMetrics } from '#infra/metrics/metrics.ts';
import { openMeasure } from './operate.ts';
import { openOperations } from './operations.ts';

test('scrapes within two seconds and a probe of readiness ask the brokers once', async () => {
  let asked = 0;
  const admin = {
    describeGroups: async (groups: string[]) => {
      asked += 1;
      return { groups: groups.map((groupId) => ({ groupId, members: [] })) };
    },
    fetchTopicOffsets: async () => [{ partition: 0, low: '0', high: '7' }],
    fetchOffsets: async () => [{ topic: 't', partitions: [{ partition: 0, offset: '3' }] }],
  } as unknown as Admin;
  const operations = openOperations({
    admin,
    partitions: 1,
    codecs: undefined as never,
    registry: undefined as never,
    processors: [{ name: 'dedup', kind: 'fold', input: 'events.incoming', group: 'g' }],
    pauses: () => new Map(),
    store: { save: async () => ({ furtherOn: [] }) },
    errors: { newest: async () => new Map() },
  });
  const { metrics, text } = openMetrics({ version: '0', mode: 'test', node: '0' });
  const none = { waiting: () => 0 };
  const measure = openMeasure({ metrics, operations, consumers: [], producer: none, receipts: none });
  await Promise.all([measure(), measure(), operations.pipeline()]);
  await measure();
  expect(asked).toBe(1);
  expect(await text()).toContain('faultline_processor_lag{processor="dedup"} 4');
});
