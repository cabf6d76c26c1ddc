import { expect, test } from '@jest/globals';
import { MemoryPipelineStore } from '#test/setup/memory-pipeline-store.ts';
import { type RowSources, readRows } from './read-rows.ts';

test('a cache of the topology is told to look again before it answers', async () => {
  const asked: string[] = [];
  const sources: RowSources = {
    store: new MemoryPipelineStore(),
    records: { get: async () => null },
    recheckTopology: (tenant) => void asked.push(`recheck ${tenant}`),
    graph: {
      async around(tenant, ciId) {
        asked.push(`around ${tenant} ${ciId}`);
        return null;
      },
    },
  };
  const around = ['a', 'b'].map((tenant) => ({ tenant, ciId: 'c', at: 0 }));
  await readRows(sources, { around, freshTopology: ['b'] });
  expect(asked).toEqual(['recheck b', 'around a c', 'around b c']);
});
