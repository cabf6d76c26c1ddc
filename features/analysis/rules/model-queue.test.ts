import { expect, test } from '@jest/globals';
import { complaintKindOf } from '#domain/event/complaints/kind.ts';
import type { Severity } from '#domain/event/event.ts';
import { sampleEvent } from '#test/contract/samples.ts';
import { type Analysed, analyse } from './analysis.ts';
import { isWorthAModel, ModelQueue, priorityOf } from './model-queue.ts';

interface Given {
  readonly severity?: Severity;
  readonly group?: 'candidate' | 'member';
  readonly isCritical?: boolean;
  readonly score?: number;
}

const analysed = (
  number: number,
  { severity = 'critical', group, isCritical = false, score = 0.5 }: Given = {},
): Analysed => {
  const affectedServices = [{ id: 's', name: 'Shop', criticality: isCritical ? 'critical' : 'low' }];
  const event = sampleEvent(number, {
    severity,
    businessImpact: { level: 'high', affectedServices, affectedUsers: null },
  });
  const eventId = group === 'candidate' ? event.id : 'other';
  const candidate = { eventId, ciId: null, score: 1, confidence: 0.5, explains: [], alternatives: [] };
  return analyse({
    event,
    complaint: { kind: 'unknown', known: null },
    kind: complaintKindOf(event),
    isUsual: false,
    judged: null,
    lesson: null,
    learned: null,
    runbook: null,
    ci: null,
    hasRelationships: true,
    score,
    abstainBelow: 0.35,
    strangeness: { value: 1, events: 0, episodes: 0, days: 30, run: 1, lastAt: null },
    group:
      group === undefined
        ? null
        : {
            id: `COR-${number}`,
            size: 2,
            candidate: { ...candidate, reasoning: 'earliest_event' },
            suspects: [],
            explained: [],
            byTimeAlone: false,
            isLearning: false,
          },
    changes: [],
    upstream: [],
    related: [],
    resolved: [],
  });
};

test.each<[string, Given, boolean]>([
  ['a lone critical event', {}, true],
  ['a lone major event', { severity: 'major' }, false],
  ['a candidate', { severity: 'minor', group: 'candidate' }, true],
  ['another member', { group: 'member' }, false],
])('worth a model: %s', (_, given, expected) => expect(isWorthAModel(analysed(1, given))).toBe(expected));

test('priority = severity rank + 3 of a candidate + 2 of a critical service + anomaly score', () => {
  expect(priorityOf(analysed(1, { severity: 'major', group: 'candidate', isCritical: true, score: 0.25 }))).toBe(8.25);
  expect(priorityOf(analysed(1, { severity: 'critical' }))).toBe(4.5);
});

test('the most telling goes first, a group waits once, and the lowest leave', () => {
  const queue = new ModelQueue();
  const add = (number: number, tenant: string, given: Given = {}) =>
    queue.add({ tenant, analysed: analysed(number, given) });
  for (let number = 1; number <= 100; number++) expect(add(number, 'acme', { score: number / 1_000 })).toBe(0);
  expect(add(100, 'acme', { score: 0.1 })).toBe(0);
  expect(add(101, 'acme', { score: 0.9 })).toBe(1);
  expect(queue.size).toBe(100);
  expect(queue.take()?.analysed.about.score).toBe(0.9);
  for (let number = 0; number < 901; number++) expect(add(number, `t${number % 10}`, { group: 'candidate' })).toBe(0);
  expect(queue.size).toBe(1_000);
  expect(add(1, 'new', { score: 0.01, severity: 'info' })).toBe(1);
  expect(queue.take()?.tenant).toMatch(/^t/);
});
