import { expect, test } from '@jest/globals';
import type { Drawing, DrawnNode } from './drawn.ts';
import { meaningsOf } from './meanings.ts';

const node = (id: string, role: DrawnNode['role'], more: Partial<DrawnNode> = {}): DrawnNode => ({
  id,
  name: id,
  type: 'server',
  role,
  worst: null,
  open: 0,
  acknowledged: 0,
  ...more,
});
const edge = (more: Partial<Drawing['edges'][number]> = {}) => ({ source: 'b', target: 'a', type: 'uses', ...more });
const told = (nodes: readonly DrawnNode[], edges: Drawing['edges'] = []): string[] =>
  meaningsOf({ nodes, edges }).map(({ kind, words }) => `${kind}: ${words}`);
const quiet = 'quiet: no open events';

test.each<[string, readonly DrawnNode[], Drawing['edges'], readonly string[]]>([
  ['nothing', [], [], []],
  ['a quiet CI', [node('a', 'plain')], [], [quiet]],
  [
    'a cause',
    [node('a', 'cause', { worst: 'major', open: 1 })],
    [],
    ['events: worst open event', 'cause: probable root cause'],
  ],
  [
    'events that are over',
    [node('a', 'plain', { worst: 'major' }), node('b', 'plain')],
    [],
    ['events: worst event, including resolved', 'quiet: none'],
  ],
  [
    'services',
    [node('a', 'plain', { worst: 'critical', state: 'Critical' }), node('b', 'plain', { state: 'Healthy' })],
    [],
    ['events: worst open event, health of services', 'quiet: no open events, healthy service'],
  ],
  ['a CI that fails silently', [node('a', 'impacted')], [], ['ring: impacted, no events']],
  [
    'what redundancy saves alike',
    [
      node('a', 'protected', { saved: '1 of 2 available, 1 required' }),
      node('b', 'protected', { saved: '1 of 2 available, 1 required' }),
    ],
    [],
    ['hatched: protected by redundancy (1 of 2 available)'],
  ],
  [
    'what redundancy saves differently',
    [
      node('a', 'protected', { saved: '1 of 2 available, 1 required' }),
      node('b', 'protected', { saved: '2 of 3 available, 1 required' }),
    ],
    [],
    ['hatched: protected by redundancy'],
  ],
  ['a relationship', [node('a', 'plain')], [edge()], [quiet, 'arrow: failure propagation']],
  [
    'relationships of AI',
    [node('a', 'plain')],
    [edge({ isFromAi: true }), edge({ isFromAi: true, proposal: 'p' })],
    [
      quiet,
      'accepted: proposed by AI, accepted',
      'proposed: proposed by AI, pending review',
      'arrow: failure propagation',
    ],
  ],
  [
    'a relationship that is proposed alone',
    [node('a', 'plain')],
    [edge({ isFromAi: true, proposal: 'p' })],
    [quiet, 'proposed: proposed by AI, pending review', 'arrow: failure propagation'],
  ],
])('the legend of %s', (_, nodes, edges, expected) => {
  expect(told(nodes, edges)).toEqual(expected);
});

test('severities that the map has, the worst first', () => {
  const nodes = (['warning', 'critical', 'warning'] as const).map((worst, at) => node(`${at}`, 'victim', { worst }));
  expect(meaningsOf({ nodes, edges: [] })[0]).toMatchObject({ kind: 'events', severities: ['critical', 'warning'] });
});
