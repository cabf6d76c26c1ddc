import { expect, test } from '@jest/globals';
import { analysisLines } from './analysis-texts.ts';

test('each sentence names what it stands on', () => {
  const lines = analysisLines({
    ...{ anomalyScore: 0.961, rootCauseHypothesis: '"Link down" on sw-1 is probably the cause.', generatedBy: 'rules' },
    recommendedActions: ['Check sw-1 first.', 'Check cable and port.'],
    history: { text: 'Unusual: this complaint came never in the last 30 days.' },
    refs: { history: ['E1'], hypothesis: ['E2', 'C1'], actions: [['E2'], []] },
    citations: [{ ref: 'E1', kind: 'event', label: 'HTTP 503', href: '/api/events/EVT-1' }],
  });
  expect(lines).toEqual([
    'Analysis by rules',
    'unusual:       0.96. Unusual: this complaint came never in the last 30 days. [E1]',
    'cause:         "Link down" on sw-1 is probably the cause. [E2, C1]',
    'to do:         1. Check sw-1 first. [E2]',
    '               2. Check cable and port.',
    'from:          E1 event "HTTP 503" /api/events/EVT-1',
  ]);
});

test('an analysis of an older program is shown as far as it goes', () => {
  const lines = analysisLines({
    ...{ anomalyScore: 0.5, rootCauseHypothesis: 'logs', recommendedActions: [], generatedBy: 'model', model: 'm-1' },
  });
  expect(lines).toEqual(['Analysis by model m-1', 'unusual:       0.50', 'cause:         logs']);
});
