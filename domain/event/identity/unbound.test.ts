import { expect, test } from '@jest/globals';
import { ciKey, hintsAtCi, keptHints, unboundKeys } from './unbound.ts';

const ARN = 'arn:aws:ec2:eu-west-1:1:instance/i-1';

test.each([
  [{ hostname: 'https://Web-1.example.org:443/', ipAddress: '::ffff:10.0.0.1' }, 'web-1.example.org', '10.0.0.1'],
  [{ hostname: 'web-1', details: { ciId: 'key' } }, 'web-1', ciKey('key')],
  [{ details: { ciId: ' ARN:disk/7 ' } }, ciKey('arn:DISK/7'), null],
  [{ details: { ciId: 'key', ciHints: [ARN] } }, ciKey('key'), ciKey(ARN)],
  [{ hostname: 'i-1', details: { ciHints: [ARN, 'other'] } }, 'i-1', ciKey(ARN)],
  [{ ipAddress: '10.0.0.1', details: { ciHints: [ARN, 'other'] } }, ciKey(ARN), '10.0.0.1'],
  [{ hostname: 'i-1', ipAddress: '10.0.0.1', details: { ciHints: [ARN] } }, 'i-1', '10.0.0.1'],
  [{ details: { ciId: 7, ciHints: 'no list' } }, null, null],
  [{}, null, null],
])('%j is looked for by %s and %s', (event, host, address) => {
  expect(unboundKeys({ details: {}, ...event })).toEqual({ host, address });
});

test('of many or long hints some are kept, and what is no hint is none', () => {
  expect(keptHints(Array.from({ length: 20 }, (_, n) => `h${n}`))).toHaveLength(10);
  expect(keptHints([' ', 'x'.repeat(1_025), 'y'.repeat(1_024)])).toEqual(['y'.repeat(1_024)]);
  expect(hintsAtCi({ details: { ciHints: [7, 'a', null] } })).toEqual(['a']);
});
