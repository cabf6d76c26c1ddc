import { expect, test } from '@jest/globals';
import type { Saved } from '#domain/event/incoming.ts';
import type { Entry } from '#domain/pipeline/processor.ts';
import { correlationChanges, eventsSaved } from '#schemas/topics/topics.ts';
import { liveChangesContract } from '#test/contract/live-changes.ts';
import { sampleEvent, sampleGroup } from '#test/contract/samples.ts';
import { randomIds } from '#test/setup/random-ids.ts';
import { openLiveChanges } from './live-changes.ts';

liveChangesContract('Embedded mode', async () => {
  const live = openLiveChanges(randomIds);
  return {
    live,
    change: async (tenant, ids) => live.tellTopology({ tenant, of: 'ci', kind: 'created', ids }),
    close: async () => live.end(),
  };
});

const batchOf = (topics: Readonly<Record<string, readonly Entry<unknown>[]>>) => {
  let asked = 0;
  const entries = (topic: string): readonly Entry<unknown>[] => {
    asked += 1;
    return topics[topic] ?? [];
  };
  return { entries, rejected: [], asked: () => asked };
};
const saved = (tenant: string, id: string): Entry<Saved> => {
  const event = sampleEvent(1, { tenant, id, correlationId: 'COR-1' });
  return { tenant, position: 1, value: { happened: 'created', event, receivedAt: 0 } };
};
const listening = async (live: ReturnType<typeof openLiveChanges>, tenant: string) => {
  const told: string[] = [];
  const listener = { changed: ({ id }: { id: string | null }) => void told.push(id!), missed() {}, ended() {} };
  return { told, listening: await live.listen(tenant, null, listener) };
};

test('a batch is told when it is kept, and not when it is lost', async () => {
  const live = openLiveChanges(randomIds);
  const { told } = await listening(live, 'acme');
  const [kept, lost] = [Promise.withResolvers<number>(), Promise.withResolvers<number>()];
  const group = sampleGroup(1, { tenant: 'acme', id: 'COR-1' });
  const batch = batchOf({
    [eventsSaved]: [saved('acme', 'E1'), saved('other', 'E2')],
    [correlationChanges]: [{ tenant: 'acme', position: 1, value: { kind: 'created', group, events: [] } }],
  });
  const first = live.gather(batch, () => kept.promise);
  const second = live.gather(batchOf({ [eventsSaved]: [saved('acme', 'E3')] }), () => lost.promise);
  await new Promise((resolve) => setImmediate(resolve));
  expect(told).toEqual([]);
  kept.resolve(1);
  lost.reject(new Error('the disk is full'));
  expect(await first).toBe(1);
  await expect(second).rejects.toThrow('the disk is full');
  expect(told).toEqual(['E1', 'COR-1', 'COR-1']);
  live.end();
});

test('who begins to listen waits for batches that were stepped before', async () => {
  const live = openLiveChanges(randomIds);
  const kept = Promise.withResolvers<number>();
  const batch = batchOf({ [eventsSaved]: [saved('acme', 'E1')] });
  const stored = live.gather(batch, () => kept.promise);
  let isListening = false;
  const begun = listening(live, 'acme').then((one) => {
    isListening = true;
    return one;
  });
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(isListening).toBe(false);
  kept.resolve(1);
  await stored;
  await begun;
  live.end();
});

test('a batch costs nothing while nobody listens', async () => {
  const live = openLiveChanges(randomIds);
  const batch = batchOf({ [eventsSaved]: [saved('acme', 'E1')] });
  await live.gather(batch, async () => 1);
  expect(batch.asked()).toBe(0);
  const { listening: one } = await listening(live, 'acme');
  await live.gather(batch, async () => 1);
  expect(batch.asked()).toBe(2);
  one.close();
  live.end();
});
