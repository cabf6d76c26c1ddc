import { expect, test } from '@jest/globals';
import { bondsOf } from './bonds.ts';
import type { Infrastructure } from './infrastructure.ts';
import { nameWords } from './name-words.ts';
import { nameServices } from './naming.ts';

/** The names of services of which each is a chain of CIs. */
const namesOf = (...services: readonly (readonly string[])[]) => {
  const all = services.flatMap((names, service) => names.map((name) => ({ name, service })));
  const estate: Infrastructure = {
    cis: all.map(({ name }, n) => ({ id: String(n), name, type: 'server' })),
    links: all.flatMap(({ service }, n) =>
      all[n + 1]?.service === service ? [{ source: n, target: n + 1, type: 'uses', port: null }] : [],
    ),
  };
  const serviceOf = Int32Array.from(all, ({ service }) => service);
  const bonds = bondsOf(estate, serviceOf, services.length);
  return nameServices(estate, nameWords(estate.cis), bonds);
};

test.each([
  [['billing-web-1', 'billing-app-1', 'billing-db-1'], 'Billing'],
  [['customer-portal-web-1', 'customer-portal-db-1', 'srv1'], 'Customer Portal'],
  [['fra-shop-web', 'nyc-shop-app', 'fra-shop-db'], 'Shop'],
  [['srv1', 'srv2', 'srv3'], 'Around srv2'],
  [['shop-test-web', 'shop-test-db'], 'Shop (test)'],
  [['crm-web-1', 'crm-db-1'], 'CRM'],
  [['shop-prod-web', 'shop-prod-db'], 'Shop'],
  // One name in five is chance.
  [['shop-1', 'srv2', 'srv3', 'srv4', 'srv5'], 'Around srv2'],
])('%j is called %s', (names, called) => {
  expect(namesOf(names).map(({ name }) => name)).toEqual([called]);
});

test('no two services have the same name', () => {
  const named = namesOf(['shop-web-1', 'shop-db-1'], ['shop-web-2', 'shop-db-2'], ['SHOP-web-3', 'shop-db-3']);
  expect(named.map(({ name }) => name)).toEqual(['Shop', 'Shop 2', 'Shop 3']);
});

test('a business service of the CMDB among the CIs gives its name, and two give none', () => {
  const cis = ['storefront', 'cart', 'Web Shop', 'Partner Channel', 'partner-api', 'partner-web', 'Partner Desk'];
  const estate: Infrastructure = {
    cis: cis.map((name, n) => ({
      id: String(n),
      name,
      type: /^[A-Z]/.test(name) ? 'business_service' : 'application',
    })),
    links: [],
  };
  const bonds = bondsOf(estate, Int32Array.from([0, 0, 0, 1, 1, 1, 1]), 2);
  const namings = nameServices(estate, nameWords(estate.cis), bonds);
  expect(namings.map(({ name }) => name)).toEqual(['Web Shop', 'Partner']);
});

test('a name is the word of this service, and not of all', () => {
  const named = namesOf(
    ['acme-shop-web', 'acme-shop-db'],
    ['acme-bank-web', 'acme-bank-db'],
    ['acme-srv-1', 'acme-srv-2'],
  );
  expect(named.map(({ name }) => name)).toEqual(['Acme Shop', 'Acme Bank', 'Acme']);
  expect(named[0]).toMatchObject({ words: ['acme', 'shop'], agreeing: [0, 1], environment: null });
});
