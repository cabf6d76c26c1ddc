import { describe, expect, test } from '@jest/globals';
import { canonicalHost, canonicalIp, systemOf } from './system.ts';

test.each([
  ['Web-01.Example.COM.', 'web-01.example.com'],
  ['web-01:9100', 'web-01'],
  ['https://user@web-01.example.com:8443/x?y', 'web-01.example.com'],
  ['[2001:DB8::0:1]:9100', '2001:db8::1'],
  ['2001:db8:0:0:0:0:0:1', '2001:db8::1'],
  ['10.0.0.01:80', '10.0.0.1'],
  ['node exporter', 'node exporter'],
  ['a:b:c', 'a:b:c'],
  ['k8s/Payments', 'k8s/payments'],
  ['web-01:9115/probe?x', 'web-01'],
  ['arn:aws:elb:eu-west-1:1:loadbalancer/app/web', 'arn:aws:elb:eu-west-1:1:loadbalancer/app/web'],
])('host %s is %s', (host, canonical) => {
  expect(canonicalHost(host)).toBe(canonical);
});

// RFC 5952, sections 4 and 5.
test.each([
  ['010.0.0.1', '10.0.0.1'],
  ['::FFFF:10.0.0.1', '10.0.0.1'],
  ['::ffff:0a00:1', '10.0.0.1'],
  ['FE80::1%eth0', 'fe80::1'],
  ['[::1]', '::1'],
  ['2001:0db8:0000:0000:0001:0000:0000:0001', '2001:db8::1:0:0:1'],
  ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
  ['1:0:0:2:0:0:0:3', '1:0:0:2::3'],
  ['0:0:0:0:0:0:0:0', '::'],
  ['10:0:0:0:0:0:0:0', '10::'],
  ['1:2:3', '1:2:3'],
  ['1::2::3', '1::2::3'],
])('address %s is %s', (address, canonical) => {
  expect(canonicalIp(address)).toBe(canonical);
});

describe('the system is', () => {
  const all = { hostname: 'WEB-01:80', ipAddress: '10.0.0.1', ciId: 'ci-7', source: 'nagios' };
  test.each([
    ['the host name', all, 'web-01'],
    ['else the address', { ...all, hostname: undefined }, '10.0.0.1'],
    ['else the CI that was given', { ciId: 'ci-7', source: 'nagios' }, 'ci-7'],
    ['else the source', { hostname: '', source: 'nagios' }, 'nagios'],
  ])('%s', (_what, names, system) => {
    expect(systemOf(names)).toBe(system);
  });
});
