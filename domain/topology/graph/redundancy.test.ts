import { describe, expect, test } from '@jest/globals';
import { redundancyOf } from '#domain/topology/topology.ts';
import { lossOf, type Need } from './redundancy.ts';

test.each([
  ['no group', {}, null],
  ['an empty group', { redundancy_group: '' }, null],
  ['a group alone needs one', { redundancy_group: 'dns' }, { group: 'dns', required: 1 }],
  ['two of a group', { redundancy_group: 'disks', redundancy_required: 2 }, { group: 'disks', required: 2 }],
  ['a number that is none', { redundancy_group: 'disks', redundancy_required: 'two' }, { group: 'disks', required: 1 }],
  ['less than one', { redundancy_group: 'disks', redundancy_required: 0 }, { group: 'disks', required: 1 }],
])('attributes say what stands in for what: %s', (_name, attributes, expected) => {
  expect(redundancyOf({ attributes })).toEqual(expected);
});

describe('what is lost', () => {
  const alone = (loss: number): Need => ({ redundancy: null, loss });
  const one = (group: string, required: number, loss: number): Need => ({ redundancy: { group, required }, loss });

  test.each<[string, Need[], number]>([
    ['nothing needed', [], 0],
    ['the worst of what is needed', [alone(0.2), alone(1), alone(0)], 1],
    ['one of two survives', [one('db', 1, 1), one('db', 1, 0)], 0],
    ['both are gone', [one('db', 1, 1), one('db', 1, 1)], 1],
    ['the better one counts', [one('db', 1, 1), one('db', 1, 0.4)], 0.4],
    ['two of three are needed, one is gone', [one('q', 2, 1), one('q', 2, 0), one('q', 2, 0)], 0],
    ['two of three are needed, two are gone', [one('q', 2, 1), one('q', 2, 1), one('q', 2, 0)], 1],
    ['more needed than there are: all of them', [one('q', 5, 0), one('q', 5, 0.3)], 0.3],
    ['groups apart', [one('a', 1, 1), one('a', 1, 0), one('b', 1, 0.7)], 0.7],
    ['a group does not hide what is needed by itself', [one('a', 1, 1), one('a', 1, 0), alone(0.5)], 0.5],
  ])('%s', (_name, needs, expected) => {
    expect(lossOf(needs)).toBe(expected);
  });
});
