import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Event } from '#domain/event/event.ts';
import type { Occurrence } from '#domain/event/incoming.ts';
import { fitsJsonLimit, MAX_JSON_BYTES } from '#domain/json-size.ts';
import { MAX_DETAILS, MAX_TAGS, unitedDetails, unitedTags } from './accumulated.ts';

const tags = fc.array(fc.constantFrom('', 'a', 'b', 'c', 'd'), { maxLength: 6 });
const united = tags.map((list) => [...new Set(list)].filter((tag) => tag !== ''));

test('tags of both are kept in order, each once, without empty ones; the first array when nothing is new', () => {
  fc.assert(
    fc.property(united, tags, (before, more) => {
      const expected = [...new Set([...before, ...more])].filter((tag) => tag !== '');
      const now = unitedTags(before, more);
      expect(now).toEqual(expected);
      expect(now === before).toBe(expected.length === before.length);
    }),
  );
});

test('more tags than an event may have are cut off', () => {
  const many = Array.from({ length: MAX_TAGS + 1 }, (_, n) => `tag-${n}`);
  expect(unitedTags([], many)).toEqual(many.slice(0, MAX_TAGS));
  expect(unitedTags(['first'], many)).toEqual(['first', ...many.slice(0, MAX_TAGS - 1)]);
});

/** An event's details after one occurrence for each of these. */
const gathered = (each: readonly Event['details'][]): Event['details'] =>
  each.reduce(
    (details, more) =>
      unitedDetails(
        { source: 's', sourceId: '1', details } as Event,
        { source: 's', sourceId: '1', details: more } as unknown as Occurrence,
      ),
    {} as Event['details'],
  );

test('details are overwritten by name, and what came last stays when there are too many names or too much of them', () => {
  expect(gathered([{ a: 1, b: 1 }, { b: 2 }])).toEqual({ a: 1, b: 2 });
  const names = Array.from({ length: MAX_DETAILS + 9 }, (_, n) => ({ [`k${n}`]: n }));
  expect(Object.keys(gathered(names))).toEqual(names.slice(9).flatMap((bag) => Object.keys(bag)));
  const third = 'é'.repeat(MAX_JSON_BYTES / 6 - 10);
  expect(Object.keys(gathered([{ a: third }, { b: [third] }, { c: third }]))).toEqual(['a', 'b', 'c']);
  expect(Object.keys(gathered([{ a: third }, { b: [third] }, { c: third }, { d: { third } }]))).toEqual([
    'b',
    'c',
    'd',
  ]);
});

test('whatever is gathered fits, where each occurrence does', () => {
  const value = fc.oneof(
    fc.string({ maxLength: 9 }),
    fc.integer(),
    fc.constant('\u0001'.repeat(5_000)),
    fc.constant('ü'.repeat(20_000)),
  );
  const bags = fc.array(fc.dictionary(fc.constantFrom(...'abcdefghij'), value, { maxKeys: 3 }).filter(fitsJsonLimit), {
    maxLength: 12,
  });
  fc.assert(
    fc.property(bags, (each) => {
      const details = gathered(each);
      expect(fitsJsonLimit(details)).toBe(true);
      expect(details).toMatchObject(each.at(-1) ?? {});
    }),
  );
});
