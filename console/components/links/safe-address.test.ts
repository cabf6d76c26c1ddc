import { expect, test } from '@jest/globals';
import { linkOf } from './safe-address.ts';

test.each([
  ['https://monitor.example/a?b=1', 'https://monitor.example/a?b=1'],
  ['HTTP://h/', 'http://h/'],
  ['javascript:alert(1)', null],
  [' https://h/', null],
  ['data:text/html,<script>', null],
  ['https://', null],
  ['see https://h/', null],
  ['//h/a', null],
])('%j leads to %j', (text, expected) => {
  expect(linkOf(text)).toBe(expected);
});
