import { expect, test } from '@jest/globals';
import type { EventReply, GroupReply } from '#cli/client/replies.ts';
import { measuresOf } from './measures.ts';
import { type Sample, scoreOf } from './score.ts';

interface Told {
  readonly id: string;
  readonly ci?: string;
  readonly incident: string | null;
  readonly isCause?: boolean;
  readonly group: string | null;
}
interface Group {
  readonly id: string;
  readonly confidence: number;
  /** The candidate, then the alternatives. */
  readonly named: readonly string[];
}

const measured = (told: readonly Told[], groups: readonly Group[]) => {
  const judged = told.map(
    ({ id, incident, isCause = false, group }): Sample => ({ eventId: id, incident, isCause, isEarly: false, group }),
  );
  const events = told.map(({ id, ci }) => ({ eventId: id, ...(ci && { ciId: { name: ci } }) })) as EventReply[];
  const replies = groups.map(({ id, confidence, named: [first, ...others] }) => ({
    correlationId: id,
    rootCauseCandidate: { eventId: first, confidence, alternatives: others.map((eventId) => ({ eventId })) },
  })) as unknown as GroupReply[];
  const roots = new Map(groups.map(({ id, named }) => [id, named[0]!]));
  return measuresOf(judged, { events, groups: replies }, scoreOf(judged, roots));
};

const incident = (name: string, group: string, cause: string): Told[] => [
  { id: `${name}0`, ci: cause, incident: name, isCause: true, group },
  ...[1, 2, 3].map((n) => ({ id: `${name}${n}`, ci: `${name}-ci${n}`, incident: name, group })),
];
const noise = (n: number, group: string | null): Told => ({ id: `n${n}`, incident: null, group });

test('the CI of the cause counts, and not which of its events is named', () => {
  const told = [...incident('a', 'A', 'db'), { id: 'a4', ci: 'db', incident: 'a', group: 'A' }];
  expect(measured(told, [{ id: 'A', confidence: 0.8, named: ['a4'] }])).toMatchObject({
    f1: 1,
    hit1: { hits: 1, of: 1 },
    ece: expect.closeTo(0.2, 10),
  });
});

test('the first three CIs are looked at for hit@3, each once', () => {
  const told = [...incident('a', 'A', 'db'), ...incident('b', 'B', 'lan')];
  const groups = [
    { id: 'A', confidence: 0.5, named: ['a1', 'a2', 'a0'] },
    { id: 'B', confidence: 0.5, named: ['b1', 'b2', 'b3', 'b0'] },
  ];
  expect(measured(told, groups)).toMatchObject({ hit1: { hits: 0, of: 2 }, hit3: { hits: 1, of: 2, share: 0.5 } });
});

test('a group of three with a majority of noise is one of noise, and its cause is never right', () => {
  const told = [
    ...incident('a', 'A', 'db').slice(0, 1),
    noise(1, 'A'),
    noise(2, 'A'),
    noise(3, 'N'),
    noise(4, 'N'),
    noise(5, null),
  ];
  const groups = [
    { id: 'A', confidence: 0.9, named: ['a0'] },
    { id: 'N', confidence: 0.9, named: ['n3'] },
  ];
  expect(measured(told, groups)).toMatchObject({
    noiseGrouped: { hits: 4, of: 5, share: 0.8 },
    noiseGroups: { hits: 1, of: 1 },
    ece: expect.closeTo(0.9, 10),
  });
});

test('says nothing where there is nothing to count', () => {
  const nothing = { hits: 0, of: 0, share: null };
  expect(measured([], [])).toEqual({
    f1: null,
    noiseGrouped: nothing,
    noiseGroups: nothing,
    hit1: nothing,
    hit3: nothing,
    ece: null,
  });
});
