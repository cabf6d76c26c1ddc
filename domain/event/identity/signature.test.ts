import { describe, expect, test } from '@jest/globals';
import { makeSigner, type SignedFields, sign } from './signature.ts';

const full: SignedFields = {
  title: 'PostgreSQL unreachable: ECONNREFUSED 10.0.0.7:5432',
  severity: 'critical',
  hostname: 'db-01',
  source: 'zabbix',
  ciType: 'server',
  service: 'checkout',
  application: 'shop',
};
const signed = (changes: Partial<SignedFields> = {}, scope: 'system' | 'signature' = 'system') =>
  sign({ ...full, ...changes }, scope) ?? { identity: '', signature: '' };

describe('what makes another identity or signature', () => {
  test.each<[string, Partial<SignedFields>, boolean, boolean]>([
    ['another address in the title', { title: 'PostgreSQL unreachable: ECONNREFUSED 10.9.9.9:5432' }, true, false],
    ['another source', { source: 'nagios' }, false, false],
    ['the application beside a service', { application: 'other' }, false, false],
    ['the case of the service', { service: 'CHECKOUT' }, false, false],
    ['another system', { hostname: 'db-02' }, true, false],
    ['another CI type', { ciType: 'database' }, false, true],
    ['no CI type', { ciType: undefined }, false, true],
    ['another severity', { severity: 'major' }, true, true],
    ['another service', { service: 'search' }, true, true],
    ['the application instead of a service', { service: undefined }, true, true],
    ['another code', { title: 'PostgreSQL unreachable: ETIMEDOUT 10.0.0.7:5432' }, true, true],
    ['other words', { title: 'PostgreSQL slow: ECONNREFUSED 10.0.0.7:5432' }, true, true],
  ])('%s', (_what, change, otherIdentity, otherSignature) => {
    expect(signed(change).identity !== signed().identity).toBe(otherIdentity);
    expect(signed(change).signature !== signed().signature).toBe(otherSignature);
  });
});

test('codes count although numbers do not', () => {
  expect(signed({ title: 'GET failed: HTTP 503' }).identity).not.toBe(
    signed({ title: 'GET failed: HTTP 404' }).identity,
  );
  expect(signed({ title: 'GET took 503 s' }).identity).toBe(signed({ title: 'GET took 404 s' }).identity);
});

test('the host in the title does not matter to the signature', () => {
  const on = (hostname: string) => signed({ hostname, title: `${hostname} is down` }).signature;
  expect(on('db-01.example.com')).toBe(on('web-07'));
});

test.each([
  ['VM 101 is down', 'VM 102 is down'],
  ['Tunnel 17 down', 'Tunnel 18 down'],
  ['BGP neighbor 10.0.0.1 is down', 'BGP neighbor 10.0.0.2 is down'],
])('%s and %s are two identities of one signature', (one, two) => {
  const [a, b] = [signed({ title: one }), signed({ title: two })];
  expect(a.identity).not.toBe(b.identity);
  expect(a.signature).toBe(b.signature);
});

test.each([
  ['CPU 91 %', 'CPU 95 %'],
  ['eth0: 3 errors of late', 'eth0: 7 errors of late'],
])('%s and %s have one identity', (one, two) => {
  expect(sign({ ...full, title: one }, 'system')).toEqual(signed({ title: two }));
});

test('in scope signature what a title names is a number, as the specification has it', () => {
  const of = (title: string) => sign({ ...full, title }, 'signature')?.identity;
  expect(of('Port 80 is closed')).toBe(of('Port 5432 is closed'));
});

test('scope signature folds systems together', () => {
  expect(signed({ hostname: 'db-02' }, 'signature').identity).toBe(signed({}, 'signature').identity);
});

test.each(['12345', '*** 10% ***', ''])('a title with neither words nor codes (%j) matches nothing', (title) => {
  expect(sign({ ...full, title }, 'system')).toBeNull();
});

test('a signer with a memory says the same as one without, also when it forgets', () => {
  const remembering = makeSigner(2);
  for (let i = 0; i < 40; i++) {
    const complained: SignedFields = {
      ...full,
      hostname: `db-${i % 5}`,
      title: ['disk full', '1234', 'link down'][i % 3] ?? '',
    };
    expect(remembering(complained, 'system')).toEqual(sign(complained, 'system'));
  }
});

test.each(['severity', 'source', 'ipAddress', 'ciId', 'ciType', 'service', 'application'] as const)(
  'a signer with a memory tells complaints apart that differ in %s alone',
  (field) => {
    const remembering = makeSigner();
    for (const value of ['critical', 'minor', 'critical']) {
      const complained = { ...full, [field]: value } as SignedFields;
      for (const scope of ['system', 'signature'] as const)
        expect(remembering(complained, scope)).toEqual(sign(complained, scope));
    }
  },
);
