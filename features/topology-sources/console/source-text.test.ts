import { expect, test } from '@jest/globals';
import type { TopologySourceData } from './api.ts';
import { inputOf, NEW_DRAFT, nameByUrl } from './source-draft.ts';
import { foundWords, nextStep, shownChanges, sourceState } from './source-text.ts';
import * as text from './texts.ts';

const counts = (more: object = {}) => ({
  total: 412,
  created: 0,
  updated: 0,
  unchanged: 0,
  ended: 0,
  missing: 0,
  failed: 0,
  ...more,
});
const NAMES = { created: [], updated: [], missing: [], ended: [] };
const source = (more: Partial<TopologySourceData>): TopologySourceData =>
  ({
    held: null,
    stale_since: null,
    paused: false,
    last_run: '2026-11-29T00:00:00Z',
    error: null,
    ...more,
  }) as TopologySourceData;

test.each([
  [{}, 'good', 'Healthy'],
  [{ error: 'a: b' }, 'caution', 'Some records failed'],
  [{ last_run: null }, 'quiet', 'Not run yet'],
  [{ paused: true }, 'quiet', 'Paused'],
  [{ stale_since: '2026-11-29T00:00:00Z', error: 'x' }, 'bad', 'Failing'],
] as const)('%j is %s: %s', (more, kind, words) => {
  expect(sourceState(source(more))).toEqual({ kind, words });
});

test.each([
  ['unreachable', text.checkReachable],
  ['later', null],
  [null, null],
])('after %s: %s', (code, step) => {
  expect(nextStep(code)).toBe(step);
});

test('what a dry run finds in one line', () => {
  const run = { cis: counts(), relationships: counts(), pods: 3, alerts: 37 };
  expect(foundWords(run)).toBe('412 CIs, 37 alerts firing');
  expect(foundWords({ ...run, alerts: null })).toBe('412 CIs');
});

test('changes that are there, with the rest beyond the names', () => {
  const cis = counts({ created: 3, ended: 1 });
  const changes = { cis: { ...NAMES, created: ['a', 'b'], ended: ['c'] }, relationships: NAMES };
  expect(shownChanges({ cis, relationships: counts() }, changes)).toEqual([
    { title: 'CIs created', total: 3, names: ['a', 'b'], more: 1 },
    { title: 'CIs retired', total: 1, names: ['c'], more: 0 },
  ]);
});

test('the body of a source has no empty fields, and no sign-in that was not chosen', () => {
  const draft = { ...NEW_DRAFT, url: ' http://p:9090 ', fields: { cluster: ' ' } };
  const body = { kind: 'prometheus', url: 'http://p:9090', every: '1m', grace: '10m', paused: false };
  expect(inputOf(draft)).toEqual(body);
  const basic = { ...draft, signIn: 'basic', secrets: { username: 'ann', password: 's' }, fields: { cluster: 'eu' } };
  const auth = { type: 'basic', username: 'ann', password: 's' };
  expect(inputOf(basic)).toEqual({ ...body, cluster: 'eu', auth });
});

test.each([
  ['https://prometheus.example.com/x', 'prometheus.example.com'],
  ['http://[::1]:9090', '1-'],
  ['prom', ''],
])('%s is named %s', (url, name) => {
  expect(nameByUrl(url)).toBe(name);
});
