import { expect, test } from '@jest/globals';
import { inFacetOrder } from './facet-order.ts';

const valuesOf = (words: string) => words.split(' ').map((value) => ({ value }));

test.each([
  ['severity', 'minor warning critical info major', 'critical major minor warning info'],
  ['severity', 'info critical', 'critical info'],
  ['source', 'zabbix aws minor critical', 'zabbix aws minor critical'],
])('values of %s counted as %s are listed as %s', (facet, counted, listed) => {
  expect(inFacetOrder(facet, valuesOf(counted))).toEqual(valuesOf(listed));
});
