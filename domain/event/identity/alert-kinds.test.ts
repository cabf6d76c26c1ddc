import { expect, test } from '@jest/globals';
import { alertKindOf } from './alert-kinds.ts';
import { withComplaint } from './stock-alerts.ts';

test.each([
  ['A', 'A', true],
  ['A', 'AB', false],
  ['A*', 'AB', true],
  ['*B', 'AB', true],
  ['*', '', true],
  ['A*B*C', 'A-B-C', true],
  ['A*B*C', 'A-C-B', false],
  ['AB*BC', 'ABC', false],
  ['A*B*B', 'AB', false],
  ['A**B', 'AB', true],
])('%s matches %s: %s', (alert, name, matches) => {
  expect(alertKindOf([{ alert, problem: 'down' }], name) !== undefined).toBe(matches);
});

test('many asterisks take no longer than the name', () => {
  const alert = `${'a*'.repeat(100)}b`;
  expect(alertKindOf([{ alert, problem: 'down' }], 'a'.repeat(100_000))).toBeUndefined();
});

test('the first kind counts, a title is a name, and a label wins', () => {
  const kinds = [
    { alert: 'Shop*', problem: 'errors' },
    { alert: 'ShopDown', problem: 'down' },
  ] as const;
  const tagsOf = (title: string, ...tags: string[]) => withComplaint({ title, tags }, kinds).tags;
  expect(tagsOf('x', 'alertname:ShopDown')).toEqual(['complaint:errors', 'alertname:ShopDown']);
  expect(tagsOf('Shop is slow: 5s')).toEqual(['complaint:errors']);
  expect(tagsOf('x', 'alertname:ShopDown', 'complaint:dns')).toEqual(['alertname:ShopDown', 'complaint:dns']);
  expect(tagsOf('Other')).toEqual([]);
});
