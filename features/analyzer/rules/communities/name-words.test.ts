import { describe, expect, test } from '@jest/globals';
import { environmentOf, nameWords } from './name-words.ts';

const wordsOf = (names: readonly string[]): string[][] => {
  const { ofCi, words } = nameWords(names.map((name, n) => ({ id: String(n), name, type: 'server' })));
  return ofCi.map((own) => own.map((word) => words[word]!));
};

test.each([
  ['fra1-billing-db-02.prod.example.net', ['fra', 'billing']],
  ['billingdb01', ['billing']],
  ['WebShop-3', ['shop']],
  ['customer-portal-app-1', ['customer', 'portal']],
  ['prod-crm-web01', ['crm']],
  ['srv12345', []],
  ['10.0.0.7', []],
  ['fe80::1', []],
  ['db', []],
  ['ip-10-0-3-17', ['ip']],
  ['kunden-büro-app', ['kunden', 'büro']],
])('%s tells %j', (name, words) => {
  expect(wordsOf([name])).toEqual([words]);
});

describe('A word that more CIs have than could be one service', () => {
  const names = (common: number, cis: number) =>
    Array.from(
      { length: cis },
      (_, n) => `${n < common ? 'acme' : 'x'}-${'abcdefghij'[n % 10]}${'abcdefghij'[n % 7]}q-1`,
    );
  test.each([
    [30, 100, true],
    [31, 100, false],
    [63, 1_000, true],
    [64, 1_000, false],
  ])('%i of %i: tells %p', (common, cis, tells) => {
    expect(wordsOf(names(common, cis))[0]!.includes('acme')).toBe(tells);
  });
});

test.each([
  ['shop-prod-db-1', 'production'],
  ['tst-shop-1', 'test'],
  ['shop.dev.example.net', 'development'],
  ['shop-uat-1', 'acceptance'],
  ['shop-stg-1', 'staging'],
  ['shop-1', null],
])('%s is of %p', (name, environment) => {
  expect(environmentOf(name)).toBe(environment);
});
