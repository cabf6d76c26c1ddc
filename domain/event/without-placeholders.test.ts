import { expect, test } from '@jest/globals';
import type { EventDraft } from './draft.ts';
import { withoutPlaceholders } from './without-placeholders.ts';

const said: EventDraft = {
  source: 's',
  sourceId: '1',
  severity: 'major',
  title: 'unknown',
  hostname: 'web-1',
  ipAddress: '10.0.0.1',
  service: 'shop',
  application: 'cart',
  environment: 'prod',
  category: 'disk',
  ciId: 'ci-1',
  ciHints: ['i-1'],
};

test('names that are placeholders are absent, and nothing else is', () => {
  expect(withoutPlaceholders(said)).toBe(said);
  expect(
    withoutPlaceholders({
      ...said,
      hostname: '[no value]',
      ipAddress: '-',
      service: '{{ $labels.service }}',
      application: 'null',
      environment: 'n/a',
      category: 'unknown',
      ciId: '\x24{CI}',
      ciHints: ['(null)', 'i-1'],
    }),
  ).toEqual({ source: 's', sourceId: '1', severity: 'major', title: 'unknown', ciHints: ['i-1'] });
});
