import { expect, test } from '@jest/globals';
import { inTurns } from './places.ts';
import type { Place } from './task.ts';

test('tenants take turns, each with its tasks in their order', () => {
  const place = (tenant: string, id: string, at: number): Place => ({
    id: `${tenant}/${id}`,
    revision: 1,
    body: { tenant, id, at },
  });
  const waiting = [
    place('a', '1', 1),
    place('a', '2', 2),
    place('a', '3', 3),
    place('b', '4', 4),
    place('c', '5', 5),
    place('b', '6', 6),
  ];
  expect(inTurns(waiting).map(({ body }) => body.id)).toEqual(['1', '4', '5', '2', '6', '3']);
});
