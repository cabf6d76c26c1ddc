import { describe, expect, test } from '@jest/globals';
import type { ListedGroup, Verdict } from '#domain/correlation/grouping/group-state.ts';
import type { Event } from '#domain/event/event.ts';
import { MINUTE, NOON, sampleEvent } from '#test/contract/samples.ts';
import { conclude, knowableAt } from './conclude.ts';
import {
  type CauseHypothesis,
  type CheckedHypothesis,
  type CheckMade,
  type GroupScene,
  weighed,
} from './investigation.ts';

const named = (name: string) => ({ id: `ci-${name}`, name });
const on = (number: number, name: string, at: number): Event =>
  sampleEvent(number, { title: `Problem ${number}`, ci: { ...named(name), type: 'server' }, timestamp: at });
const hypothesis = (id: string, name: string, dependents: readonly string[], more: Partial<CauseHypothesis> = {}) => ({
  id,
  basis: 'ranking' as const,
  text: `“Link down” on ${name}`,
  event: on(Number(id.slice(1)), name, NOON),
  ci: named(name),
  since: NOON,
  prior: 0.5,
  isRejected: false,
  reach: { dependents: dependents.map(named), isCut: false, needs: [] },
  ...more,
});
const made = (moved: number, text: string, next?: string): CheckMade => ({
  check: 'path',
  hypothesis: 'H1',
  text,
  weight: moved,
  moved,
  confidence: 0.5,
  chosenBy: 'rules',
  eventIds: [],
  ...(next !== undefined && { next }),
});
const checked = (
  one: CauseHypothesis,
  confidence: number,
  checks: readonly CheckMade[] = [],
  isUsual = false,
): CheckedHypothesis => ({ hypothesis: one, confidence, checks, isUsual });
const sceneOf = (members: readonly Event[], verdict?: Partial<Verdict>): GroupScene => ({
  row: { care: verdict === undefined ? {} : { verdict } } as unknown as ListedGroup,
  members,
  hit: new Map(members.flatMap(({ ci, timestamp: at }) => (ci === null ? [] : [[ci.id, { name: ci.name, at }]]))),
  changes: [],
  dataSince: null,
  abstainBelow: 0.35,
  now: NOON,
});

const sw = hypothesis('H1', 'sw-1', ['db-1', 'app-1', 'web-7']);
const ups = hypothesis('H2', 'ups-1', ['mail-1']);
const members = [on(1, 'sw-1', NOON), on(2, 'db-1', NOON + MINUTE), on(3, 'app-1', NOON + 90_000)];

describe('the conclusion', () => {
  test('names the most probable cause, its rival, and what would settle it', () => {
    const all = [
      checked(ups, 0.4),
      checked(sw, 0.8, [made(0.2, 'fits'), made(-0.1, 'sw-1 recovered early.', 'Check ups-1.')]),
    ];
    expect(conclude(all, sceneOf(members))).toEqual({
      cause: 'H1',
      confidence: 0.8,
      basis: 'checks',
      text: 'Probable root cause: “Link down” on sw-1, 80% confidence.',
      against: ['sw-1 recovered early.'],
      rival: { id: 'H2', text: '“Link down” on ups-1', confidence: 0.4 },
      next: ['Check ups-1.'],
      settles: 'web-7 depends on sw-1 and not on ups-1. If it works, sw-1 is probably not the root cause.',
      knowableAt: NOON + MINUTE,
    });
  });

  test('says that there is none, and which is closest', () => {
    expect(conclude([checked(sw, 0.2)], sceneOf(members))).toMatchObject({
      cause: null,
      text: 'No root cause identified. Closest: “Link down” on sw-1 (20%).',
    });
    expect(conclude([], sceneOf([]))).toMatchObject({ cause: null, text: 'No root cause identified.', confidence: 0 });
  });

  test('never names what is usual, or what a user rejected', () => {
    const usual = checked(sw, 0.9, [], true);
    const rejected = checked(hypothesis('H3', 'db-1', [], { isRejected: true }), 0.9);
    expect(conclude([usual, rejected], sceneOf(members)).cause).toBeNull();
    expect(conclude([usual, rejected, checked(ups, 0.5)], sceneOf(members)).cause).toBe('H2');
  });

  test('is led by the verdict of a user, with its note; what the checks rank higher is said', () => {
    const verdict: Partial<Verdict> = {
      cause: 'wrong',
      note: 'broken SFP',
      by: { id: 'a', username: 'ann', name: 'Ann' },
    };
    const own = checked({ ...ups, basis: 'verdict' }, 0.1);
    expect(conclude([checked(sw, 0.9), own], sceneOf(members, verdict))).toMatchObject({
      cause: 'H2',
      basis: 'verdict',
      text: 'Ann set the root cause: “Link down” on ups-1. Note: “broken SFP”.',
      against: ['The checks rank “Link down” on sw-1 higher, with 90% confidence.'],
    });
  });

  test('points at CIs that it leaves unexplained', () => {
    const { next } = conclude([checked(ups, 0.6)], sceneOf(members));
    expect(next).toEqual(['Look for another cause of sw-1, db-1 and app-1: no known dependency on ups-1.']);
  });
});

test.each([
  ['an effect followed', sw, members, NOON + MINUTE],
  [
    'the cause was reported last',
    { ...sw, event: on(1, 'sw-1', NOON + 5 * MINUTE) },
    members.slice(1),
    NOON + 5 * MINUTE,
  ],
  ['most of the others are not explained', ups, members, null],
  ['nothing else failed', sw, members.slice(0, 1), null],
])('the cause could be known when %s', (_, one, all, at) => expect(knowableAt(one, all)).toBe(at));

test('evidence moves confidence, never to certainty', () => {
  expect(weighed(0.5, 0)).toBe(0.5);
  expect(weighed(0.5, 0.9)).toBeCloseTo(0.71, 2);
  expect(weighed(0.5, -0.9)).toBeCloseTo(0.29, 2);
  expect([weighed(0.98, 9), weighed(0.02, -9)]).toEqual([0.99, 0.01]);
});
