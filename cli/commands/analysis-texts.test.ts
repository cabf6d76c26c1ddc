import { expect, test } from '@jest/globals';
import type { AnalysisReply } from '#cli/client/replies.ts';
import { analysisLines } from './analysis-texts.ts';

const analysis: AnalysisReply = {
  eventId: 'EVT-1',
  ciId: null,
  anomalyScore: 0.5,
  rootCauseHypothesis: 'logs',
  relatedEvents: [],
  recommendedActions: [],
  generatedAt: '2026-11-20T10:00:00.000Z',
  generatedBy: 'rules',
  model: null,
  degraded: null,
};

test('each sentence names what it stands on', () => {
  const lines = analysisLines({
    ...analysis,
    anomalyScore: 0.961,
    rootCauseHypothesis: '"Link down" on sw-1 is probably the cause.',
    recommendedActions: ['Check sw-1 first.', 'Check cable and port.'],
    history: { text: 'Unusual: this problem occurred 0 times in the last 30 days.', events: 0, episodes: 0, days: 30 },
    warnings: ['By time alone.', 'Rates were not known.'],
    refs: { history: ['E1'], hypothesis: ['E2', 'C1'], actions: [['E2'], []], warnings: [['G1'], ['G1']] },
    citations: [{ ref: 'E1', kind: 'event', id: 'EVT-1', label: 'HTTP 503', href: '/api/events/EVT-1' }],
  });
  expect(lines).toEqual([
    'Analysis by rules',
    'anomaly:       0.96. Unusual: this problem occurred 0 times in the last 30 days. [E1]',
    'hypothesis:    "Link down" on sw-1 is probably the cause. [E2, C1]',
    'caveats:       By time alone. [G1]',
    '               Rates were not known. [G1]',
    'actions:       1. Check sw-1 first. [E2]',
    '               2. Check cable and port.',
    'from:          E1 event "HTTP 503" /api/events/EVT-1',
  ]);
});

test('why a model had no part in it though one was asked is told', () => {
  expect(analysisLines({ ...analysis, degraded: 'budget' })[0]).toBe('Analysis by rules: the AI budget is used up');
  expect(analysisLines(analysis)[0]).toBe('Analysis by rules');
});

test('an analysis without history and citations is shown as far as it goes', () => {
  const lines = analysisLines({ ...analysis, generatedBy: 'model', model: 'm-1' });
  expect(lines).toEqual(['Analysis by model m-1', 'anomaly:       0.50', 'hypothesis:    logs']);
});
