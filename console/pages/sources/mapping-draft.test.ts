import { expect, test } from '@jest/globals';
import { genericSource } from '#sources/generic/generic-source.ts';
import { SourceMapping } from '#sources/generic/mapping.ts';
import { askedWords, FIRST_MAPPING, FIRST_SAMPLE, jsonIn, nameProblem } from './mapping-draft.ts';

test('the first mapping reads the first sample', () => {
  const source = genericSource('site24x7', SourceMapping.parse(JSON.parse(FIRST_MAPPING)));
  const settings = { severities: {}, snsTopics: [], replicaLabels: [], alerts: [], durations: new Map() };
  const { items } = source.read({ body: JSON.parse(FIRST_SAMPLE), headers: {}, receivedAt: 0 }, settings);
  expect(items).toMatchObject([
    { ok: true, action: { action: 'open', draft: { title: 'Website is DOWN', severity: 'critical' } } },
  ]);
});

test('a text that is no JSON says why', () => {
  expect(jsonIn('{"a":1}')).toEqual({ value: { a: 1 } });
  expect(jsonIn('{a}')).toEqual({ problem: expect.stringContaining('JSON') });
});

test.each([
  ['open', 'Problem'],
  ['resolve', 'Resolved'],
  ['another', 'another'],
  [null, 'Rejected'],
])('%p is %s', (action, words) => expect(askedWords(action)).toBe(words));

test.each([
  ['check-mk.2', true],
  ['Checkmk', false],
  ['a b', false],
  ['', false],
  ['a'.repeat(64), false],
])('name %p can stand in an address: %p', (name, can) => expect(nameProblem(name) === null).toBe(can));
