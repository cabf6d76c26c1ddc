import { expect, test } from '@jest/globals';
import type { CorrelationInput } from '#domain/correlation/records.ts';
import { strategies } from '#domain/correlation/strategies/strategies.ts';
import type { RestoreOptions } from '#domain/ports/pipeline-store.ts';
import { correlate } from '#processors/correlate.ts';
import { MemoryPipelineStore } from '#test/setup/memory-pipeline-store.ts';
import { hitOf } from '#test/setup/merge-kit.ts';
import { NOON } from '#test/setup/runner-kit.ts';
import { setClock } from '#test/setup/set-clock.ts';
import type { Commit } from './commits.ts';
import { JoinOwner } from './join-owner.ts';
import type { Output } from './journal.ts';

const opened = async (commit: Commit | null) => {
  const store = new MemoryPipelineStore();
  const restored: (RestoreOptions | undefined)[] = [];
  const owner = new JoinOwner({
    join: correlate(strategies[0]!),
    partition: 0,
    clock: setClock(NOON),
    mine: () => true,
    metrics: { count: () => {}, gauge: () => {}, observe: () => {} },
    emitter: { refuses: () => null, send: async () => {}, answer: async () => {}, reject: async () => {} },
    store: {
      restorable: (mine, options) => {
        restored.push(options);
        return store.restorable(mine);
      },
    },
    committed: async () => commit,
  });
  return { from: await owner.open(), restored };
};

test('a strategy begins at the commit that its window is refilled up to', async () => {
  expect(await opened({ offset: 7, metadata: '41' })).toEqual({ from: 7, restored: [{ through: 41, now: NOON }] });
});

test.each([
  ['nothing is committed', null, 0],
  ['the client committed the begin of the topic by itself', { offset: 3, metadata: '' }, 3],
] as const)('its window is empty when %s', async (_, commit, from) => {
  expect(await opened(commit)).toEqual({ from, restored: [] });
});

test('findings that are larger than a record may be are cut down to the best ones, and the rest is counted', async () => {
  const sent: Output[] = [];
  const hits = [0.6, 0.9, 0.7, 0.8, 0.95].map((score, n) => hitOf(`e${n}`, score));
  const value: CorrelationInput = { kind: 'hits', strategy: 'service', eventId: 'e', hits, cut: 2 };
  const { smaller } = correlate(strategies[0]!);
  const owner = new JoinOwner({
    join: {
      kind: 'join',
      name: 'correlate.service',
      input: 'events.enriched',
      open: () => null,
      passed: () => {},
      restore: async () => {},
      smaller: smaller!,
      match: (_, { tenant, position }, effects) => effects.emit('correlation.hits', { tenant, position, value }),
    },
    partition: 0,
    clock: setClock(NOON),
    mine: () => true,
    committed: async () => null,
    metrics: { count: () => {}, gauge: () => {}, observe: () => {} },
    store: new MemoryPipelineStore(),
    emitter: {
      refuses: ({ entry }) => ((entry.value as typeof value).hits.length > 3 ? 'too large' : null),
      send: async (_, outputs) => void sent.push(...outputs),
      answer: async () => {},
      reject: async () => {},
    },
  });
  await owner.open();
  const entry = { tenant: 'acme', position: 5, value: null };
  await owner.take([
    { offset: 0, at: 0, entry, writer: '', serial: 0, reply: null, raw: Buffer.alloc(0), fault: null },
  ]);
  const best = sent.map((output) => output.entry.value as typeof value);
  expect(best.map((one) => [one.hits.map(({ score }) => score), one.cut])).toEqual([[[0.95, 0.9], 5]]);
});
