import { describe, expect, test } from '@jest/globals';
import { MINUTE, NOON, sampleEvent } from '#test/contract/samples.ts';
import {
  changesFinding,
  historyFinding,
  type PastFacts,
  pastFinding,
  pathFinding,
  type SiblingFacts,
  siblingsFinding,
} from './findings.ts';
import type { CauseHypothesis, FaultReach, NearChange } from './investigation.ts';

const DAY = 24 * 60 * MINUTE;
const named = (name: string) => ({ id: `ci-${name}`, name });
const reachOf = (dependents: readonly string[], needs: readonly string[] = []): FaultReach => ({
  dependents: dependents.map(named),
  isCut: false,
  needs: needs.map((name) => ({ ...named(name), hops: 1 })),
});
const event = sampleEvent(1, { title: 'Link down', ci: { ...named('sw-1'), type: 'switch' }, timestamp: NOON });
const hypothesis = (more: Partial<CauseHypothesis> = {}): CauseHypothesis => ({
  id: 'H1',
  basis: 'ranking',
  text: '“Link down” on sw-1',
  event,
  ci: named('sw-1'),
  since: NOON,
  prior: 0.5,
  isRejected: false,
  reach: reachOf(['db-1', 'app-1'], ['ups-1']),
  ...more,
});
const old = { dataSince: NOON - 90 * DAY };
const hitBy = (...all: readonly (readonly [name: string, at: number])[]) => ({
  hit: new Map(all.map(([name, at]) => [`ci-${name}`, { name, at }])),
});

describe('history', () => {
  test.each([
    [
      'a usual problem',
      { event: { ...event, usual: true } },
      old,
      3,
      /^Recurring: .* on sw-1, so it explains nothing/,
      -1,
    ],
    ['the first time', {}, old, 0, 'First time on sw-1: none in the 30 days before.', 1],
    ['a few times', {}, old, 3, 'Occurred 3 times on sw-1 in the 30 days before.', 0],
    ['often', {}, old, 10, 'Occurred 10 times on sw-1 in the 30 days before.', -1],
    ['since data begins', {}, { dataSince: NOON - 2 * DAY }, 1, /^Occurred once on sw-1 since .*, when data starts/, 0],
    [
      'too little history',
      {},
      { dataSince: NOON - 60 * MINUTE },
      0,
      /^Not enough history: data starts 1h before this event/,
      0,
    ],
    ['a change', { event: null }, old, 2, '2 earlier changes to sw-1 in the 30 days before.', 0],
    ['no CI', { ci: null }, old, 0, 'First time: none in the 30 days before.', 1],
  ])('%s', (_, more, scene, before, text, sign) => {
    const found = historyFinding(hypothesis(more), scene, before);
    expect(found.text).toEqual(typeof text === 'string' ? text : expect.stringMatching(text));
    expect(Math.sign(found.weight)).toBe(sign);
  });
});

describe('changes', () => {
  const change = (name: string, at: number): NearChange => ({
    at,
    ci: named(name),
    text: `“Deploy 4.2” on ${name}`,
    event: sampleEvent(2, { timestamp: at }),
  });
  const later = sampleEvent(3, { timestamp: NOON });
  const isChange = { basis: 'change', event: sampleEvent(2) } as const;
  test.each([
    [
      'one on a dependency',
      {},
      [change('ups-1', NOON - 5 * MINUTE)],
      /^Change “Deploy 4.2” on ups-1 5m before it\.$/,
      1,
    ],
    ['two', {}, [change('sw-1', NOON - MINUTE), change('ups-1', NOON - 5 * MINUTE)], /60s before it, and 1 more/, 1],
    ['one that is too old', {}, [change('sw-1', NOON - 61 * MINUTE)], /^No change on sw-1 or its 1 dependency in/, 0],
    ['one elsewhere', {}, [change('mail-1', NOON - MINUTE)], /^No change on sw-1/, 0],
    ['no CI', { ci: null }, [], /^No CI bound/, 0],
    ['a change just before', { ...isChange, since: NOON - 4 * MINUTE }, [], /was made 4m before the first event/, 1],
    [
      'a change after the problem',
      { ...isChange, since: NOON + 5 * MINUTE },
      [],
      /5m after .* too late to be its cause/,
      -1,
    ],
  ])('%s', (_, more, changes, text, sign) => {
    const found = changesFinding(hypothesis(more), { changes, members: [later] });
    expect(found.text).toMatch(text);
    expect(Math.sign(found.weight)).toBe(sign);
  });
});

describe('path', () => {
  const none = { otherwiseOpen: new Set<string>(), failedNeeds: [] };
  test.each([
    [
      'all suffer',
      hitBy(['sw-1', NOON], ['db-1', NOON], ['app-1', NOON]),
      none,
      /^2 of 2 other CIs in the group depend on sw-1 \(100%\)\.$/,
      1,
    ],
    [
      'one is silent',
      hitBy(['sw-1', NOON], ['db-1', NOON]),
      none,
      /^1 of 1 other CI .*1 dependent without events: app-1\.$/,
      1,
    ],
    [
      'one has events elsewhere',
      hitBy(['db-1', NOON]),
      { ...none, otherwiseOpen: new Set(['ci-app-1']) },
      /\(100%\)\.$/,
      1,
    ],
    [
      'none depends on it',
      hitBy(['mail-1', NOON], ['mail-2', NOON]),
      none,
      /^0 of 2 .*Not explained: mail-1 and mail-2\.$/,
      -1,
    ],
    ['they failed before it', hitBy(['db-1', NOON - 9 * MINUTE], ['app-1', NOON]), none, /db-1 failed before it\.$/, 0],
    [
      'its own dependency failed',
      hitBy(['db-1', NOON], ['app-1', NOON]),
      { ...none, failedNeeds: [named('ups-1')] },
      /sw-1 depends on ups-1, with older open events\.$/,
      0,
    ],
    ['it is alone', hitBy(['sw-1', NOON]), none, /^No other CI is in the group\. 2 dependents without events/, 0],
  ])('%s', (_, scene, facts, text, sign) => {
    const found = pathFinding(hypothesis(), scene, facts);
    expect(found.text).toMatch(text);
    expect(Math.sign(found.weight)).toBe(sign);
  });

  test('says where to look next: what failed above it first, then what is silent', () => {
    const scene = hitBy(['db-1', NOON]);
    expect(pathFinding(hypothesis(), scene, none).next).toBe('Check app-1: it depends on sw-1 and has no events.');
    const above = { ...none, failedNeeds: [named('ups-1')] };
    expect(pathFinding(hypothesis(), scene, above).next).toBe('Check ups-1 first: sw-1 depends on it.');
    expect(pathFinding(hypothesis({ ci: null }), scene, none)).toMatchObject({
      weight: 0,
      next: expect.stringMatching(/^Bind the event/),
    });
  });
});

describe('siblings', () => {
  const facts = (failed: readonly string[]): SiblingFacts => ({
    shared: named('ups-1'),
    siblings: [named('sw-2'), named('sw-3')],
    failed: failed.map(named),
  });
  test.each([
    ['none', [], 'No other CI shares a dependency with sw-1.', 0],
    ['quiet ones', [facts([])], 'None of 2 CIs that share a dependency with sw-1 has events.', 1],
    [
      'failed ones',
      [facts(['sw-2'])],
      '1 of 2 other CIs that depend on ups-1 also has events: sw-2. ups-1 could be the root cause.',
      -1,
    ],
  ])('%s', (_, all, text, sign) => {
    const found = siblingsFinding(hypothesis(), all);
    expect(found.text).toBe(text);
    expect(Math.sign(found.weight)).toBe(sign);
  });
});

describe('past', () => {
  const past = (more: Partial<PastFacts>): PastFacts => ({ groups: [], events: 2, resolved: null, ...more });
  const resolved = { by: 'Ann', afterMs: 42 * MINUTE, notes: 'replaced SFP', eventId: 'a' };
  test.each([
    ['never', past({ events: 0 }), /^No earlier occurrence on any CI in the 30 days before\.$/, 0],
    ['with a note', past({ resolved }), /^Occurred 2 times .*Last resolved by Ann after 42m: “replaced SFP”\.$/, 0],
    ['judged right', past({ groups: [{ isRight: true, eventId: 'a' }] }), /Verdicts: root cause in 1 of 1\.$/, 1],
    ['judged wrong', past({ groups: [{ isRight: false, eventId: 'a' }] }), /Verdicts: root cause in 0 of 1\.$/, -1],
  ])('%s', (_, facts, text, sign) => {
    const found = pastFinding(hypothesis(), old, facts);
    expect(found.text).toMatch(text);
    expect(Math.sign(found.weight)).toBe(sign);
  });
});
