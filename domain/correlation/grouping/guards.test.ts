import { describe, expect, test } from '@jest/globals';
import { linkTo, SETTINGS } from '#test/setup/merge-kit.ts';
import { guardAgainst, type MergeCandidate, restsOnTimeAlone, TEMPORAL_REACH } from './links.ts';

const HOUR = 3_600_000;
const REACH = TEMPORAL_REACH * 600_000;

const single = (at: number, openers = 1) => ({
  closed: false,
  first: at,
  last: at,
  size: 1,
  grouped: false,
  openers,
  at,
});
const group = (first: number, last: number, size = 3, at = last) => ({
  closed: false,
  first,
  last,
  size,
  grouped: true,
  openers: 2,
  at,
});

const meeting = (
  ours: MergeCandidate['ours'],
  theirs: MergeCandidate['theirs'],
  strategy = 'dependency',
): MergeCandidate => ({
  link: linkTo('b', 0.9, strategy),
  ours,
  theirs,
});

describe('guardAgainst', () => {
  test.each([
    ['two single events', meeting(single(0), single(1_000)), null],
    ['a closed group takes nobody', meeting(single(0), { ...group(0, 1), closed: true }), 'closed'],
    ['nor does a member of one join', meeting({ ...group(0, 1), closed: true }, single(0)), 'closed'],
    ['a span of exactly 4 h', meeting(single(4 * HOUR), group(0, 1_000)), null],
    ['a span of more than 4 h', meeting(single(4 * HOUR + 1), group(0, 1_000)), 'span'],
    ['the span of the union counts', meeting(group(0, 3 * HOUR), group(2 * HOUR, 4 * HOUR + 1)), 'span'],
    ['the 1,000th member', meeting(single(1), group(0, 1, 999)), null],
    ['the 1,001st member', meeting(single(1), group(0, 1, 1_000)), 'size'],
    ['two groups of 1,000 in all', meeting(group(0, 1, 400), group(0, 1, 600)), null],
    ['two groups of 1,001 in all', meeting(group(0, 1, 400), group(0, 1, 601)), 'size'],
    ['time alone, at the edge of the reach', meeting(single(REACH), group(0, REACH), 'temporal'), null],
    ['time alone, beyond the reach', meeting(single(REACH + 1), group(0, REACH), 'temporal'), 'temporal_reach'],
    ['other evidence beyond the reach', meeting(single(REACH + 1), group(0, REACH), 'service'), null],
    ['time alone, two single events', meeting(single(REACH + 1), single(0), 'temporal'), null],
    ['time alone, an event before the first', meeting(single(-5), group(0, 90_000, 3, 90_000), 'temporal'), null],
    ['time alone, the later group joins near', meeting(group(0, 50_000), group(60_000, 99_000), 'temporal'), null],
    [
      'time alone, the later group joins too late',
      meeting(group(0, 50_000), group(60_000, 120_000), 'temporal'),
      'temporal_reach',
    ],
    ['one suppressed of two', meeting(single(0), single(1, 0)), 'suppressed'],
    ['two suppressed', meeting(single(0, 0), single(1, 0)), 'suppressed'],
    ['a suppressed one joins a group', meeting(single(5, 0), group(0, 9)), null],
  ] as const)('%s', (_, given, guard) => {
    expect(guardAgainst(given, SETTINGS)).toBe(guard);
  });

  test('the temporal guard can be switched off', () => {
    const settings = { ...SETTINGS, guards: { ...SETTINGS.guards, temporalReach: false } };
    expect(guardAgainst(meeting(single(REACH + 1), group(0, REACH), 'temporal'), settings)).toBeNull();
  });
});

describe('restsOnTimeAlone', () => {
  const [time] = linkTo('b', 0.9, 'temporal').reasons;
  const withScore = (score: number) => ({
    ...linkTo('b', 0.9),
    reasons: [time!, { ...time!, strategy: 'topology', score }],
  });

  test('another strategy at the threshold would not join the pair', () =>
    expect(restsOnTimeAlone(withScore(0.7), 0.7)).toBe(true));
  test('another strategy above it would', () => expect(restsOnTimeAlone(withScore(0.7001), 0.7)).toBe(false));
});
