import { expect, test } from '@jest/globals';
import { analysisLines } from './analysis-texts.ts';

test('each sentence names what it stands on', () => {
  const lines = analysisLines({
    ...{ anomalyScore: 0.961, rootCauseHypothesis: '"Link down" on sw-1 is probably the cause.', generatedBy: 'rules' },
    recommendedActions: ['Check sw-1 first.', 'Check cable and port.'],
    history: { text: 'Unusual: this complaint came never in the last 30 days.' },
    warnings: ['By time alone.', 'Rates were not known.'],
    refs: { history: ['E1'], hypothesis: ['E2', 'C1'], actions: [['E2'], []], warnings: [['G1'], ['G1']] },
    citations: [{ ref: 'E1', kind: 'event', label: 'HTTP 503', href: '/api/events/EVT-1' }],
  });
  expect(lines).toEqual([
    'Analysis by rules',
    'unusual:       0.96. Unusual: this complaint came never in the last 30 days. [E1]',
    'cause:         "Link down" on sw-1 is probably the cause. [E2, C1]',
    'but:           By time alone. [G1]',
    '               Rates were not known. [G1]',
    'to do:         1. Check sw-1 first. [E2]',
    '               2. Check cable and port.',
    'from:          E1 event "HTTP 503" /api/events/EVT-1',
  ]);
});

test('why a model had no part in it though one was asked is told', () => {
  const made = { anomalyScore: 0.5, rootCauseHypothesis: 'logs', recommendedActions: [], generatedBy: 'rules' };
  expect(analysisLines({ ...made, degraded: 'budget' })[0]).toBe('Analysis by rules (no model: budget)');
  expect(analysisLines({ ...made, degraded: null })[0]).toBe('Analysis by rules');
});

test('an analysis of an older program is shown as far as it goes', () => {
  const lines = analysisLines({
    ...{ anomalyScore: 0.5, rootCauseHypothesis: 'logs', recommendedActions: [], generatedBy: 'model', model: 'm-1' },
  });
  expect(lines).toEqual(['Analysis by model m-1', 'unusual:       0.50', 'cause:         logs']);
});
