import { expect, test } from '@jest/globals';
import type { Proposal } from './api.ts';
import { proposedEdges } from './proposed-edges.ts';

test('a proposal is drawn with the type that its relationship would have', () => {
  const proposal = { id: 'p1', source: 'a', target: 'b', type: 'depends-on', confidence: 0.6 } as Proposal;
  expect(proposedEdges([proposal])).toEqual([
    { source: 'a', target: 'b', type: 'depends_on', isFromAi: true, proposal: 'p1' },
  ]);
});
