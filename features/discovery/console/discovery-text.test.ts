import { expect, test } from '@jest/globals';
import type { UnboundHost } from './api.ts';
import { bindingOf, compared, draftOfHost, outcomeWords, toldApart } from './discovery-text.ts';

const host = (hostname: string | null, ip_address: string | null): UnboundHost =>
  ({ hostname, ip_address }) as unknown as UnboundHost;

test.each([
  ['its host name is free', { hostname: 'x', ip: null, attributes: {} }, { hostname: 'x' }],
  ['its host name is another', { hostname: 'x', ip: null, attributes: { hostname: 'y' } }, { fqdn: 'x' }],
  [
    'both are taken',
    { hostname: 'x', ip: '10.0.0.1', attributes: { hostname: 'y', fqdn: 'z' } },
    { ip_address: '10.0.0.1' },
  ],
  ['only an address is known', { hostname: null, ip: '10.0.0.1', attributes: {} }, { ip_address: '10.0.0.1' }],
  ['all are taken', { hostname: 'x', ip: null, attributes: { hostname: 'y', fqdn: 'z' } }, null],
])('events find the CI by what it does not say otherwise: %s', (_, { hostname, ip, attributes }, binding) => {
  expect(bindingOf(host(hostname, ip), { attributes })).toEqual(binding);
});

test('a CI that is made of a host has its name and its address', () => {
  expect(draftOfHost(host('lab-3', '10.0.0.1'))).toMatchObject({
    name: 'lab-3',
    attributes: [
      { key: 'hostname', value: 'lab-3' },
      { key: 'ip_address', value: '10.0.0.1' },
    ],
  });
  expect(draftOfHost(host(null, '10.0.0.1'))).toMatchObject({ name: '10.0.0.1' });
});

test('what a machine and a CI say alike is marked', () => {
  const rows = compared({ hostname: 'WEB-1', serial_number: 'SN-2' }, [
    { name: 'web-1', attributes: { hostname: 'web-1' } },
  ]);
  expect(rows).toEqual([
    { field: 'Hostname', host: 'WEB-1', cis: [{ text: 'web-1', isSame: true }] },
    { field: 'Serial number', host: 'SN-2', cis: [{ text: '', isSame: false }] },
  ]);
});

test('what became of the hosts is told, without what did not happen', () => {
  expect(outcomeWords({ created: 1_204, updated: 0, unchanged: 3, ambiguous: 1, failed: 0 })).toBe(
    '1,204 created, 3 unchanged, 1 to review',
  );
});

test('candidates of one name are told apart by what differs', () => {
  const ci = (id: string, name: string, attributes = {}) => ({ id, name, attributes });
  const marks = (...candidates: Parameters<typeof toldApart>[0]) =>
    candidates.map((_, at) => toldApart(candidates, at));
  expect(marks(ci('1', 'web'), ci('2', 'db'))).toEqual(['', '']);
  expect(marks(ci('1', 'pet', { ip_address: '10.0.0.1' }), ci('2', 'Pet', { ip_address: '10.0.0.2' }))).toEqual([
    ' (10.0.0.1)',
    ' (10.0.0.2)',
  ]);
  const same = { ip_address: '10.0.0.1' };
  expect(marks(ci('1', 'pet', { ...same, serial_number: 'A' }), ci('2', 'pet', same))).toEqual([' (A)', ' (2)']);
});
