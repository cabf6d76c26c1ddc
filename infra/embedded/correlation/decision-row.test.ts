import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Decision } from '#domain/correlation/records.ts';
import { PROFILES } from '#domain/correlation/settings.ts';
import type { Link, Reason } from '#domain/event/incoming.ts';
import { sampleDecision } from '#test/contract/samples.ts';
import { type DecisionRow, linksText, outcomeText, toDecision, toOutcome } from './decision-row.ts';

/** Few values, so that scores are often equal, as they are in practice. */
const score = fc.constantFrom(0, 0.5, 0.8, 0.9998588988445934, 1);
const reason: fc.Arbitrary<Reason> = fc.record({
  strategy: fc.constantFrom('temporal', 'service'),
  score,
  literalScore: score,
  // More than are compared one by one.
  reason: fc.constantFrom(...Array.from({ length: 12 }, (_, n) => `reason_${n}`)),
  details: fc.record({ gapMs: fc.nat(), hops: fc.nat() }, { requiredKeys: [] }),
});
const link: fc.Arbitrary<Link> = fc.record({
  other: fc.constantFrom('a', 'b'),
  score,
  literalScore: score,
  reasons: fc.array(reason, { maxLength: 6 }),
});

const more: fc.Arbitrary<Pick<Decision, 'profile' | 'refusedBeyond'>> = fc.record(
  { profile: fc.constantFrom(...PROFILES), refusedBeyond: fc.constant({ size: ['COR-1-abcdef', 'c'] }) },
  { requiredKeys: [] },
);

test('links come back as they were, whichever of their scores are equal', () => {
  fc.assert(
    fc.property(fc.array(link), fc.array(link), more, (accepted, others, more) => {
      const refused = others.map((other) => ({ ...other, guard: 'span' as const }));
      const decision = sampleDecision(1, { accepted, refused, cut: { temporal: 3 }, ...more });
      const { tenant, position, eventId, groupId } = decision;
      const row: DecisionRow = [tenant, position, eventId, groupId, outcomeText(decision), linksText(decision)];
      expect(toDecision(row)).toEqual(decision);
    }),
  );
});

test('a score is written once when all are equal', () => {
  const one = { score: 0.9998588988445934, literalScore: 0.9998588988445934 };
  const reasons: Reason[] = [{ strategy: 'temporal', reason: 'close_in_time', details: {}, ...one }];
  const text = linksText(sampleDecision(1, { accepted: [{ other: 'a', ...one, reasons }] }));
  expect(text.split('0.9998588988445934')).toHaveLength(2);
});

test.each<[string, Partial<Decision>, string]>([
  ['nothing', {}, '{}'],
  ['the arrival alone joined', { joined: [sampleDecision(1).eventId] }, '{"j":1}'],
  ['others joined', { joined: ['a', 'b'], manual: true }, '{"j":["a","b"],"h":1}'],
  [
    'all of it',
    { founded: { eventId: 'a', time: 5 }, merged: ['g'], closed: ['h'] },
    '{"f":{"eventId":"a","time":5},"m":["g"],"c":["h"]}',
  ],
])('an outcome says no more than it must: %s', (_name, changes, text) => {
  const decision = sampleDecision(1, { groupId: 'g', ...changes });
  const { tenant, position, eventId, groupId, accepted: _a, refused: _r, cut: _c, ...rest } = decision;
  expect(outcomeText(decision)).toBe(text);
  expect(toOutcome([tenant, position, eventId, groupId, text])).toEqual({
    tenant,
    position,
    eventId,
    groupId,
    ...rest,
  });
});
