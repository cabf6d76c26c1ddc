import { expect, test } from '@jest/globals';
import { rowVersion } from './group-row-document.ts';

test.each([
  ['the decision on the newest event is known', [9, 2], [9, 9]],
  ['further events are counted', [9, 9], [10, 9]],
  ['both are newer', [9, 2], [10, 9]],
] as const)('a row outranks one that was read earlier when %s', (_, [members, group], [laterMembers, laterGroup]) => {
  expect(rowVersion(laterMembers, { position: laterGroup })).toBeGreaterThan(rowVersion(members, { position: group }));
});
