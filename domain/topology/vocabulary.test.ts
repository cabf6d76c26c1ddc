import { describe, expect, test } from '@jest/globals';
import { relationshipType } from './topology.ts';
import { ciTypeWarning, relationshipTypeWarning, slips } from './vocabulary.ts';

test.each([
  ['servr', 'server', 1],
  ['sevrer', 'server', 1],
  ['server', 'server', 0],
  ['', 'abc', 3],
  ['kitten', 'sitting', 3],
])('from %s to %s are %i slips', (one, other, number) => {
  expect([slips(one, other), slips(other, one)]).toEqual([number, number]);
});

describe('A type that is nearly a known one', () => {
  test.each([
    ['Servr', 'server'],
    ['swtich', 'switch'],
    ['loadbalancr', 'load_balancer'],
    ['databsae', 'database'],
  ])('%s is probably %s', (type, meant) => expect(ciTypeWarning(type)).toContain(`did you mean ${meant}?`));

  test.each(['server', 'Server', 'load balancer', 'vm', 'vms', 'mainframe', 'x'.repeat(255)])(
    '%s is not warned of',
    (type) => expect(ciTypeWarning(type)).toBeNull(),
  );

  test.each([
    ['depend_on', 'depends_on'],
    ['runs_onn', 'runs_on'],
  ])('%s is probably %s', (type, meant) =>
    expect(relationshipTypeWarning(relationshipType(type))).toContain(`did you mean ${meant}?`),
  );
});

test.each([
  ['depends-on', 'depends_on'],
  ['Depends On', 'depends_on'],
  ['dependson', 'depends_on'],
  ['RUNS_ON', 'runs_on'],
  ['hostedOn', 'hosted_on'],
  [' Feeds-Into ', 'feeds_into'],
  ['speaks to', 'speaks to'],
])('the relationship type %s is stored as %s', (type, stored) => expect(relationshipType(type)).toBe(stored));
