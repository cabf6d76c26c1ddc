import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { OpenEvent } from '#domain/pipeline/processor.ts';
import { alikeOf, eventsFromSource, openRefill, openRows } from './dedup-rows.ts';

/** Created first and changed last, and vice versa; the same identity, one sourceId in common. */
const old: OpenEvent = {
  tenant: 'acme',
  id: 'old',
  identity: 'disk full',
  source: 'zabbix',
  sourceId: 's-1',
  conditions: [],
  details: { sourceIds: ['s-1', 's-2'] },
  createdPosition: 1,
  position: 9,
};
const young: OpenEvent = { ...old, id: 'young', sourceId: 's-2', details: {}, createdPosition: 5, position: 5 };
const held: OpenEvent = {
  ...old,
  id: 'held',
  identity: 'other',
  conditions: [{ id: 'c-1', position: 2 }],
  position: 3,
};
const holder: OpenEvent = { ...held, id: 'holder', identity: 'another', position: 4 };

test('of two with one identity or condition the one made last or changed last is found, by a sourceId all, in whatever order they come', () => {
  fc.assert(
    fc.property(fc.shuffledSubarray([old, young, held, holder], { minLength: 4 }), (events) => {
      const rows = openRows();
      const refill = openRefill(rows);
      for (const event of events) refill(event);
      expect(rows.open).toBe(4);
      expect(alikeOf(rows, 'disk full', 9)).toEqual(['old', 'young']);
      expect(rows.byCondition).toEqual(new Map([['c-1', 'holder']]));
      expect(eventsFromSource(rows, 'zabbix', 's-1')).toEqual(['old']);
      expect(eventsFromSource(rows, 'zabbix', 's-2')).toEqual(['old', 'young']);
      expect(rows.bySource.size).toBe(2);
    }),
  );
});
