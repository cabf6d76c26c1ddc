import { describe, expect, test } from '@jest/globals';
import type { Candidate, Decision, Group } from '#domain/correlation/records.ts';
import { linkTo, TENANT } from '#test/setup/merge-kit.ts';
import { analysisOf, correlationTypes, placeInGroup } from './group-view.ts';

const candidate: Candidate = {
  eventId: 'A',
  ciId: 'sw-1',
  score: 1.7,
  confidence: 0.855,
  reasoning: 'earliest_severe_event_upstream_dependency',
  explains: [{ ciId: 'db', hops: 1 }],
  alternatives: [{ eventId: 'B', score: 0.9 }],
};
const group: Group = {
  tenant: TENANT,
  id: 'COR-5-abcdef',
  aliases: [],
  status: 'open',
  mergedInto: null,
  foundedBy: 'A',
  foundedAt: 5,
  first: 5,
  last: 9,
  size: 3,
  candidate,
  createdPosition: 1,
  position: 2,
};
const decision = (eventId: string, ...accepted: Decision['accepted']): Decision => ({
  tenant: TENANT,
  position: 1,
  eventId,
  accepted,
  refused: [],
  groupId: group.id,
  joined: [],
  merged: [],
  closed: [],
  cut: {},
  manual: false,
});
const decisions = [
  decision('B', linkTo('A', 0.8, 'service')),
  decision('C', linkTo('B', 0.95, 'pattern'), linkTo('A', 0.9, 'topology')),
];

const types = correlationTypes(decisions);

describe('placeInGroup', () => {
  test('other members have the candidate as parent', () => {
    expect(placeInGroup('B', group, ['A', 'B', 'C'], types)).toEqual({
      parentEventId: 'A',
      childEventIds: [],
      correlationMetadata: { correlationType: 'pattern', rootCauseEvent: 'EVT-A', rootCauseCI: 'sw-1', confidence: 86 },
    });
  });

  test('the candidate has the others as children', () => {
    const place = placeInGroup('A', group, ['A', 'B', 'C'], types)!;
    expect(place).toMatchObject({ parentEventId: null, childEventIds: ['B', 'C'] });
    expect(place.correlationMetadata.correlationType).toBe('topology');
  });

  test('at most 1,000 children', () => {
    const ids = Array.from({ length: 1_500 }, (_, i) => `e${i}`);
    expect(placeInGroup('A', group, ['A', ...ids], types)!.childEventIds).toHaveLength(1_000);
  });

  test('nothing without a candidate', () => expect(placeInGroup('A', { candidate: null }, [], types)).toBeNull());
});

describe('correlationTypes', () => {
  test('is the strategy with the highest score of the best link', () => {
    const link = linkTo('A', 0.9);
    const reasons = ['temporal', 'service', 'topology'].map((strategy, i) => ({
      ...link.reasons[0]!,
      strategy,
      score: [0.72, 0.9, 0.9][i]!,
    }));
    expect(correlationTypes([decision('B', { ...link, reasons })]).get('B')).toBe('service');
  });

  test('the best link counts, whichever of the two arrived later, and the earlier of two that are as good', () => {
    const later = decision('D', linkTo('C', 0.95, 'temporal'));
    expect([...correlationTypes([...decisions, later])]).toEqual([
      ['B', 'pattern'],
      ['A', 'topology'],
      ['C', 'pattern'],
      ['D', 'temporal'],
    ]);
  });

  test('none when nothing is stored', () => {
    expect(types.get('Z')).toBeUndefined();
    expect(placeInGroup('Z', group, [], types)!.correlationMetadata.correlationType).toBeNull();
  });
});

test('analysisOf says what the group is about', () => {
  expect(analysisOf(group)).toEqual({
    correlationId: 'COR-5-abcdef',
    timeSpan: { start: 5, end: 9 },
    eventCount: 3,
    rootCauseCandidate: {
      eventId: 'EVT-A',
      ciId: 'sw-1',
      confidence: 0.855,
      reasoning: 'earliest_severe_event_upstream_dependency',
      alternatives: [{ eventId: 'EVT-B', score: 0.9 }],
    },
  });
  expect(analysisOf({ ...group, candidate: null }).rootCauseCandidate).toBeNull();
});
