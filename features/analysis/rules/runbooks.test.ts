import { expect, test } from '@jest/globals';
import { sampleEvent } from '#test/contract/samples.ts';
import { ownRunbookOf, runbookFor } from './runbooks.ts';

const event = sampleEvent(1, {
  title: 'TLS certificate of pay.example.com has expired',
  ci: { id: 'c', name: 'pay-1', type: 'web_server' },
  service: 'Payment',
});

test.each([
  [{ runbook: ' https://wiki.example.com/pay ' }, 'https://wiki.example.com/pay'],
  [{ runbook: '' }, null],
  [{ runbook: 7 }, null],
  [{}, null],
])('of the custom fields %j', (customFields, expected) => expect(ownRunbookOf({ customFields })).toBe(expected));

test.each([
  [{ complaint: 'certificate_expired' }, true],
  [{ complaint: 'space_short' }, false],
  [{ ciType: 'web_server' }, true],
  [{ ciType: 'web_server', complaint: 'space_short' }, false],
  [{ service: 'payment' }, true],
  [{ service: 'payments' }, false],
  [{ title: 'certificate of PAY' }, true],
  [{ title: 'certificate of payroll' }, false],
])('%j fits: %s', (rule, fits) => {
  expect(runbookFor(event, [{ url: 'u', ...rule }])).toBe(fits ? 'u' : null);
  expect(runbookFor(event, [{ url: 'u', text: 'ask Ann', ...rule }])).toBe(fits ? 'u ask Ann' : null);
});
