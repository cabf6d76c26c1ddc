import { expect, test } from '@jest/globals';
import { strategies } from '#domain/correlation/strategies.ts';
import type { RestoreOptions } from '#domain/ports/pipeline-store.ts';
import { correlate } from '#processors/correlate.ts';
import { MemoryPipelineStore } from '#test/setup/memory-pipeline-store.ts';
import { NOON } from '#test/setup/runner-kit.ts';
import { setClock } from '#test/setup/set-clock.ts';
import type { Commit } from './commits.ts';
import { JoinOwner } from './join-owner.ts';

const opened = async (commit: Commit | null) => {
  const store = new MemoryPipelineStore();
  const restored: (RestoreOptions | undefined)[] = [];
  const owner = new JoinOwner({
    ...{ join: correlate(strategies[0]!), partition: 0, clock: setClock(NOON), mine: () => true },
    metrics: { count: () => {}, gauge: () => {}, observe: () => {} },
    outlet: { refuses: () => null, send: async () => {}, answer: async () => {}, reject: async () => {} },
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
  expect(await opened({ offset: 7, metadata: '41' })).toEqual({ from: 7, restored: [{ through: 41 }] });
});

test.each([
  ['nothing is committed', null, 0],
  ['the client committed the begin of the topic by itself', { offset: 3, metadata: '' }, 3],
] as const)('its window is empty when %s', async (_, commit, from) => {
  expect(await opened(commit)).toEqual({ from, restored: [] });
});
