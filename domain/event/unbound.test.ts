import { expect, test } from '@jest/globals';
import { ciKey, unboundKeys } from './unbound.ts';

test.each([
  [{ hostname: 'https://Web-1.example.org:443/', ipAddress: '::ffff:10.0.0.1' }, 'web-1.example.org', '10.0.0.1'],
  [{ hostname: 'web-1', details: { ciId: 'key' } }, 'web-1', null],
  [{ details: { ciId: ' ARN:disk/7 ' } }, ciKey('arn:DISK/7'), null],
  [{ details: { ciId: 7 } }, null, null],
  [{}, null, null],
])('%j is looked for by %s and %s', (event, host, address) => {
  expect(unboundKeys({ details: {}, ...event })).toEqual({ host, address });
});
