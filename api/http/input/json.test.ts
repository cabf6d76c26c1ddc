import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Fault } from '#domain/fault.ts';
import { checkJsonShape, MAX_DEPTH, MAX_KEYS, parseJson } from './body.ts';

const shape = (text: string) => () => checkJsonShape(Buffer.from(text));
const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const keys = (n: number) => `{${Array.from({ length: n }, (_, i) => `"k${i}":1`).join(',')}}`;

describe('shape', () => {
  test('32 levels pass, 33 do not', () => {
    expect(shape(nested(MAX_DEPTH))).not.toThrow();
    expect(shape(nested(MAX_DEPTH + 1))).toThrow('32 levels');
  });
  test('10,000 keys pass, 10,001 do not', () => {
    expect(shape(keys(MAX_KEYS))).not.toThrow();
    expect(shape(keys(MAX_KEYS + 1))).toThrow('10000 keys');
  });
  test('keys are counted per element of the outer arrays', () => {
    const many = Array.from({ length: 30 }, () => keys(MAX_KEYS / 2)).join(',');
    expect(shape(`[${many}]`)).not.toThrow();
    expect(shape(`{"events":[${many}]}`)).not.toThrow();
    expect(shape(`{"a":{"b":[${many}]}}`)).toThrow('keys');
    expect(shape(`{"events":[${keys(MAX_KEYS + 1)}]}`)).toThrow('keys');
  });
  test('and of deeper ones where items are deeper', () => {
    const logs = (records: string) => Buffer.from(`{"a":[{"b":[{"c":[${records}]}]}]}`);
    const many = Array.from({ length: 3 }, () => keys(MAX_KEYS / 2)).join(',');
    expect(() => checkJsonShape(logs(many))).toThrow('keys');
    expect(() => checkJsonShape(logs(many), 6)).not.toThrow();
    expect(() => checkJsonShape(logs(keys(MAX_KEYS + 1)), 6)).toThrow('keys');
  });
  test('braces, colons and escaped quotes in strings do not count', () =>
    expect(shape(JSON.stringify(`${'{[":\\"'.repeat(20_000)}`))).not.toThrow());
  test('closing without opening, and a string without end, are left for the parser', () => {
    expect(shape(']]]}}}')).not.toThrow();
    expect(shape('{"a')).not.toThrow();
  });
  test('no JSON within the bounds is refused', () =>
    fc.assert(fc.property(fc.json({ maxDepth: 20 }), (text) => checkJsonShape(Buffer.from(text)) === undefined)));
});

describe('parsing', () => {
  test.each([
    '{"__proto__":{"admin":true},"a":1}',
    '{"\\u005f_proto__":{"admin":true},"a":1}',
    '{"__pr\\u006Fto__":1,"a":1}',
  ])('the key of %s that means the prototype is left out', (text) =>
    expect(Object.keys(parseJson(text) as object)).toEqual(['a']),
  );
  test('copies of what was parsed keep their prototype', () => {
    const copy = Object.assign({}, parseJson('{"a":{"__proto__":{"admin":true}}}')) as { a: { admin?: boolean } };
    expect(Object.assign({}, copy.a).admin).toBeUndefined();
  });
  test.each([
    ['"a \\ud800 b"', 'a \ufffd b'],
    ['"\\uDC00"', '\ufffd'],
    ['"\\ud83d\\ud83d\\ude00"', '\ufffd😀'],
    ['"\\ude00\\ud83d"', '\ufffd\ufffd'],
    ['"\\ud83d\\ude00"', '😀'],
    ['"\\\\ud800"', '\\ud800'],
    ['"\\\\\\ud800"', '\\\ufffd'],
    ['{"\\ud800":1}', { '\ufffd': 1 }],
  ])('half a character of %s becomes the replacement character', (text, value) =>
    expect(parseJson(text)).toEqual(value),
  );
  test('anything is parsed as JSON.parse does', () =>
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        fc.pre(!text.includes('__proto__'));
        expect(parseJson(text)).toEqual(JSON.parse(text));
      }),
    ));
  test.each(['{"a":', 'hello s3cr3t', '{"a":1,}', ''])('%s is not JSON, and is not quoted back', (text) => {
    const error = (() => {
      try {
        return parseJson(text);
      } catch (caught) {
        return caught;
      }
    })() as Fault;
    expect(error).toBeInstanceOf(Fault);
    expect(error.kind).toBe('invalid');
    expect(error.message).not.toContain('s3cr3t');
  });
});
