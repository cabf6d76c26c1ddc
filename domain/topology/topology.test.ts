import { expect, test } from '@jest/globals';
import { isCritical } from './topology.ts';

test.each([
  ...['critical', 'high', 'High', 'CRITICAL', ' high '].map((criticality) => [criticality, true]),
  ...['medium', 'highest', '', 1, null, undefined].map((criticality) => [criticality, false]),
])('a relationship of criticality %j is critical: %j', (criticality, critical) => {
  expect(isCritical({ attributes: { criticality } })).toBe(critical);
});
