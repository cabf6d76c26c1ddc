import { expect, test } from '@jest/globals';
import { BUDGETS, measure, measureText, type Weights } from './measure.ts';
import { ROOT } from './planted.ts';

const budgets = BUDGETS.product;

test('the product weighs no more than its budget, and a budget that is too large is lowered', () => {
  const weights = measure(ROOT);
  const over = Object.entries(weights).filter(([name, weight]) => weight > budgets[name as keyof Weights]);
  expect(over).toEqual([]);
  // Room for a day of work.
  expect(weights.lines).toBeGreaterThan(budgets.lines - 500);
});

test('a line counts that holds a token, a spread when a literal is spread at once, a type where it is declared', () => {
  const text = `/** A place. */
export interface Place {
  // of it
  name: string; /* its
  name */
}

type Own = Place;
const text = '// no comment';
export const places = [...['a'], ...Object.keys({ ...{ b: text }, ...JSON.parse('{}') })] as Own[];
`;
  expect(measureText('place.ts', text)).toEqual({ lines: 6, spreads: 2, types: ['Place', 'Own'] });
});
