import { expect, test } from '@jest/globals';
import { bondsOf } from './bonds.ts';
import type { Infrastructure } from './infrastructure.ts';

const link = (source: number, target: number, port: number | null = null) => ({ source, target, type: 'uses', port });

test('several links between the same two CIs are one connection', () => {
  const estate: Infrastructure = {
    cis: Array.from({ length: 5 }, (_, n) => ({ id: String(n), name: `ci-${n}`, type: 'server' })),
    links: [
      // A relationship, what a scanner saw of it on two ports, and its way back.
      link(0, 1),
      link(0, 1, 8080),
      link(0, 1, 8443),
      link(1, 0),
      link(1, 2, 5432),
      link(2, 3),
      link(2, 3, 9000),
      link(2, 2),
      // To a CI of no service.
      link(0, 4),
    ],
  };
  const [first, second] = bondsOf(estate, Int32Array.from([0, 0, 0, 1, -1]), 2);
  expect(first).toMatchObject({ pairsWithin: 2, pairsLeaving: 1, others: new Map([[1, 1]]) });
  expect(second).toMatchObject({ pairsWithin: 0, pairsLeaving: 1, others: new Map([[0, 1]]) });
  expect(first!.outside).toHaveLength(1);
});
