import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { SEVERITIES } from '#domain/event/event.ts';
import { always } from './always.ts';
import { commaList } from './common.ts';
import { pageFields, withinWindow } from './paging.ts';
import { MAX_PROBLEMS, problemsOf } from './problems.ts';

const reasons = (schema: z.ZodType, value: unknown) => {
  const result = schema.safeParse(value);
  return result.success ? [] : problemsOf(result.error, value).map(({ field, reason }) => `${field}: ${reason}`);
};
const Severity = z.enum(SEVERITIES);
const Kinds = z.discriminatedUnion('k', [z.object({ k: z.literal('a') }), z.object({ k: z.literal('b') })]);

test.each<[z.ZodType, unknown, string[]]>([
  [
    z.object({ severity: Severity }),
    { severity: 'fatal' },
    ['severity: expected one of critical, major, minor, warning, info; got "fatal"'],
  ],
  [z.object({ severity: Severity }), {}, ['severity: required; expected one of critical, major, minor, warning, info']],
  [z.object({ n: z.number() }), { n: '1' }, ['n: expected number; got "1"']],
  [z.object({ n: z.number() }), {}, ['n: required; expected number']],
  [z.object({ n: z.number() }), { n: Number.POSITIVE_INFINITY }, ['n: expected number; got Infinity']],
  [z.object({ s: z.string().min(1).max(3) }), { s: [] }, ['s: expected string; got an array']],
  [
    z.discriminatedUnion('k', [z.object({ k: z.literal('a') }), z.object({ k: z.enum(['b']).optional() })]),
    { k: 'z' },
    ['k: expected one of a, b; got "z"'],
  ],
  [z.object({ d: z.record(z.string(), z.unknown()) }), { d: [] }, ['d: expected object; got an array']],
  [z.object({ n: z.int().max(5) }), { n: 6 }, ['n: expected at most 5; got 6']],
  [z.object({ n: z.number().gt(1) }), { n: 1 }, ['n: expected more than 1; got 1']],
  [z.object({ s: z.string().max(3) }), { s: 'abcd' }, ['s: expected at most 3 characters; got 4']],
  [z.object({ s: z.string().trim().min(1) }), { s: '  ' }, ['s: must not be blank']],
  [z.object({ s: z.string().trim().min(1) }), { s: '' }, ['s: expected at least 1 character; got 0']],
  [z.object({ a: z.array(z.string()).min(1) }), { a: [] }, ['a: expected at least 1 item; got 0']],
  [
    z.object({ events: z.array(z.object({ severity: z.enum(['a']) })) }),
    { events: [{ severity: 'a' }, { severity: null }] },
    ['events[1].severity: expected a; got null'],
  ],
  [z.strictObject({ a: z.string().optional() }), { b: 1, c: 2 }, ['b: unknown field', 'c: unknown field']],
  [z.object({ x: z.union([z.string(), z.number()]) }), { x: true }, ['x: expected string or number; got true']],
  [z.object({ x: Kinds }), { x: { k: 'z' } }, ['x.k: expected one of a, b; got "z"']],
  [
    z.object({ t: z.iso.datetime({ offset: true }) }),
    { t: 'today' },
    ['t: expected a valid ISO 8601 time with offset; got "today"'],
  ],
  [
    z.object({ x: z.string().regex(/^a/, 'expected a word with a') }),
    { x: 'b' },
    ['x: expected a word with a; got "b"'],
  ],
  [z.object({ s: commaList(['a', 'b']) }), { s: 'a, c' }, ['s: expected one of a, b; got "c"']],
  [
    z.object({ s: z.enum(['a', 'b']).or(z.undefined()) }),
    { s: 'c' },
    ['s: expected one of a, b or undefined; got "c"'],
  ],
  [z.object({}), [], ['body: expected object; got an array']],
  [z.object({}), undefined, ['body: required; expected object']],
])('case %#', (schema, value, expected) => expect(reasons(schema, value)).toEqual(expected));

test('what is wrong with the whole is told beside what is wrong with its fields', () => {
  const Both = z
    .strictObject({ a: z.number().optional(), b: z.number().optional(), c: z.string() })
    .check(
      always(
        ({ value, issues }) =>
          void (
            value.a === undefined &&
            value.b === undefined &&
            issues.push({ code: 'custom', input: value, path: ['a'], message: 'expected either a or b' })
          ),
      ),
    );
  expect(reasons(Both, { d: 1 })).toEqual([
    'c: required; expected string',
    'd: unknown field',
    'a: required; expected either a or b',
  ]);
  expect(reasons(Both, { a: 'x' })).toEqual(['a: expected number; got "x"', 'c: required; expected string']);
  expect(reasons(Both, null)).toEqual(['body: expected object; got null']);
});

test('long values are cut', () => expect(reasons(z.number(), 'x'.repeat(500))[0]?.length).toBeLessThan(150));

test('at most 50 problems are told', () => {
  const value = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`k${i}`, 1]));
  expect(reasons(z.strictObject({}), value)).toHaveLength(MAX_PROBLEMS);
});

const List = z.strictObject({ ...pageFields({ limit: 20, max: 100 }) }).check(always(withinWindow));
test.each<[Record<string, string>, string[]]>([
  [{}, []],
  [{ page: '100', limit: '100' }, []],
  [{ limit: 'abc' }, ['limit: expected a whole number from 1 to 100; got "abc"']],
  [{ page: '101', limit: '100' }, ['page: page × limit must not exceed 10000. Narrow the filter or use cursor']],
  [{ page: '0' }, ['page: expected a whole number from 1 to 10000; got "0"']],
  [{ limit: '101' }, ['limit: expected a whole number from 1 to 100; got "101"']],
  [{ limit: '1e1' }, ['limit: expected a whole number from 1 to 100; got "1e1"']],
])('paging %j', (query, expected) => expect(reasons(List, query)).toEqual(expected));
test('paging has defaults', () => expect(List.parse({})).toEqual({ page: 1, limit: 20 }));
