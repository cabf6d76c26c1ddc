import { expect, test } from '@jest/globals';
import type { GroupDetailData } from '#console/api/groups.ts';
import { adviceOf } from './advice.ts';

const analysis = {
  eventId: 'EVT-1',
  recommendedActions: [
    'Runbook: https://wiki.example.com/link ask Ann',
    'Previous occurrence on db-1: resolved by Ann.',
    'Wait.',
  ],
  claims: ['fact', 'fact', 'fact', 'fact', 'possible'].map((certainty) => ({ text: '', refs: [], certainty })),
  refs: { history: [], hypothesis: [], actions: [['E1'], ['E1', 'E2', 'C1'], []] },
  citations: [
    { ref: 'E1', kind: 'event', id: 'EVT-1' },
    { ref: 'E2', kind: 'event', id: 'EVT-2' },
    { ref: 'C1', kind: 'ci', id: 'C' },
  ],
};

test('a runbook is a link, advice of a table is marked, and earlier events are cited', () => {
  expect(adviceOf({ aiAnalysis: analysis as unknown as GroupDetailData['aiAnalysis'] })).toMatchObject([
    { runbook: { address: 'https://wiki.example.com/link', text: ' ask Ann' }, isGeneral: false, eventIds: [] },
    { runbook: null, isGeneral: false, eventIds: ['EVT-2'] },
    { text: 'Wait.', isGeneral: true, eventIds: [] },
  ]);
  expect(adviceOf({ aiAnalysis: undefined })).toEqual([]);
});
