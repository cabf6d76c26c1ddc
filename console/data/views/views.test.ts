import { expect, test } from '@jest/globals';
import { isChanged, leadingTo, queryOf, searchOf } from './views.ts';

const view = {
  id: 'V',
  name: 'On call',
  page: 'groups' as const,
  query: 'severity=critical&state=acknowledged',
  columns: ['reach', 'who'],
  shared: false,
  mine: true,
  by: 'Ada',
  updated_at: '2026-11-23T10:00:00.000Z',
};

test('a view keeps filters and order, and neither what is open nor itself', () => {
  expect(queryOf({ state: 'resolved', view: 'V', columns: 'a,b', event: 'E', host: '', sort: 'severity' })).toBe(
    'sort=severity&state=resolved',
  );
});

test('its address is the list that it was, and nothing of the list before', () => {
  const search = searchOf(view);
  expect(search).toEqual({ severity: 'critical', state: 'acknowledged', view: 'V', columns: 'reach,who' });
  expect(leadingTo({ host: 'db-1', state: 'active' }, search)).toEqual({ ...search, host: null });
  expect(queryOf(search)).toBe(view.query);
});

test.each([
  [{}, false],
  [{ event: 'E' }, false],
  [{ host: 'db-1' }, true],
  [{ severity: '' }, true],
])('with %j beside it, changed is %s', (more: Record<string, string>, changed) => {
  expect(isChanged(view, { ...searchOf(view), ...more }, view.columns)).toBe(changed);
});

test('other columns change a view that has some, in another order too', () => {
  expect(isChanged(view, searchOf(view), ['who', 'reach'])).toBe(true);
  expect(isChanged({ ...view, columns: [] }, searchOf(view), ['who'])).toBe(false);
});
