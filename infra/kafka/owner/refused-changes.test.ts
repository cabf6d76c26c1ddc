import { expect, test } from '@jest/globals';
import type { Changes } from '#domain/ports/pipeline-store.ts';
import { sampleEvent } from '#test/contract/samples.ts';
import { MemoryPipelineStore } from '#test/setup/memory-pipeline-store.ts';
import { refusedChanges, saveRefused } from './refused-changes.ts';

const NONE: Changes = { events: [], recoveries: [], deliveries: [], enriched: [], decisions: [], groups: [] };
const [one, other] = [sampleEvent(1), sampleEvent(2)];
const changes: Changes = {
  ...NONE,
  events: [one, other].map((event) => ({ event, parts: new Set(['created'] as const) })),
  deliveries: [
    { tenant: one.tenant, id: 'd', receipt: { ok: false, fault: 'internal', message: '' }, position: 1, at: 1 },
  ],
};
/** Returns the document as stored in a dead letter. */
const kept = (key: { tenant: string; id: string }): unknown => JSON.parse(JSON.stringify(refusedChanges(changes, key)));

test('a letter holds what was refused and nothing else, and saving it again is as saving it the first time', async () => {
  const store = new MemoryPipelineStore();
  expect(await saveRefused(store, kept(one))).toBe('saved');
  expect([...store.events.values()]).toEqual([one]);
  expect(store.deliveries.size).toBe(0);
  expect(await saveRefused(store, kept({ tenant: one.tenant, id: 'd' }))).toBe('saved');
  expect([...store.deliveries.values()]).toEqual(changes.deliveries);
});

test('an event that went on since stays as it is', async () => {
  const store = new MemoryPipelineStore();
  const later = { ...one, position: one.position + 1, title: 'later' };
  await store.save({ ...NONE, events: [{ event: later, parts: new Set(['created']) }] });
  expect(await saveRefused(store, kept(one))).toBe('kept');
  expect([...store.events.values()]).toEqual([later]);
});

test.each([[null], [{ id: 'x' }], ['text'], [one]])(
  'a letter that does not hold what was refused is told apart: %#',
  async (record) => {
    expect(await saveRefused(new MemoryPipelineStore(), record)).toBeNull();
  },
);
