import { expect, test } from '@jest/globals';
import type { OnCallData } from './api.ts';
import { shiftsOf } from './shifts.ts';

const team = (id: string, name: string | null) =>
  ({ team: { id, name: id }, now: name && { name, until: '2026-12-01T08:00:00Z' } }) as OnCallData;
const TEAMS = [team('network', 'Ann'), team('storage', null), team('web', 'Bo')];

test.each([
  [undefined, ['Ann', 'Bo']],
  ['web', ['Bo']],
  ['storage', ['Ann', 'Bo']],
])('on call for a group of team %s: %j', (assigned, names) => {
  expect(shiftsOf(TEAMS, assigned).map(({ now }) => now.name)).toEqual(names);
});
