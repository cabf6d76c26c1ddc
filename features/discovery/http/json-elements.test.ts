import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { JsonElements } from './json-elements.ts';

const LIMITS = { elementBytes: 1_000, restBytes: 1_000, elements: 100 };
const PATH = ['data', 'hosts'];

/** Elements and rest of a document that arrives in pieces of so many bytes. */
const cut = (text: string, size = 7, limits = LIMITS) => {
  const reader = new JsonElements(PATH, limits);
  const bytes = Buffer.from(text);
  const elements: (string | null)[] = [];
  for (let at = 0; at < bytes.length; at += size)
    for (const element of reader.push(bytes.subarray(at, at + size))) elements.push(element?.toString() ?? null);
  return { elements, rest: reader.rest() };
};

describe('Elements of an array within a document', () => {
  test.each<[string, string, (string | null)[], unknown]>([
    [
      'objects',
      '{"a":1,"data":{"hosts":[{"x":1}, {"y":[2,"]}"]}],"b":2}}',
      ['{"x":1}', ' {"y":[2,"]}"]}'],
      { a: 1, data: { hosts: [0, 0], b: 2 } },
    ],
    ['none', '{"data":{"hosts":[ ]}}', [], { data: { hosts: [] } }],
    ['plain values', '{"data":{"hosts":[1,"a,]",null]}}', ['1', '"a,]"', 'null'], { data: { hosts: [0, 0, 0] } }],
    [
      'names elsewhere',
      '{"hosts":[1],"data":[["hosts"],{"hosts":[1]}],"x":{"hosts":[2]}}',
      [],
      { hosts: [1], data: [['hosts'], { hosts: [1] }], x: { hosts: [2] } },
    ],
    [
      'deeper down',
      '{"data":{"data":{"hosts":[1]},"hosts":{"hosts":[2]}}}',
      [],
      { data: { data: { hosts: [1] }, hosts: { hosts: [2] } } },
    ],
    [
      'names as values',
      '{"a":"data","data":{"b":"hosts","c":["hosts",{"hosts":[1]}]}}',
      [],
      { a: 'data', data: { b: 'hosts', c: ['hosts', { hosts: [1] }] } },
    ],
    [
      'quotes within names and texts',
      '{"a\\"data":{"hosts":[1]},"data":{"hosts":["\\\\",{"k":"\\"]"}]}}',
      ['"\\\\"', '{"k":"\\"]"}'],
      { 'a"data': { hosts: [1] }, data: { hosts: [0, 0] } },
    ],
    ['twice', '{"data":{"hosts":[1]},"data":{"hosts":[2]}}', ['1', '2'], { data: { hosts: [0] } }],
  ])('%s', (_, text, elements, rest) => {
    for (const size of [1, 7, 10_000]) {
      const found = cut(text, size);
      expect(found.elements).toEqual(elements);
      expect(JSON.parse(found.rest)).toEqual(rest);
    }
  });

  test.each([
    '{"data":{"hosts":[1,,2]}}',
    '{"data":{"hosts":[1}',
    '{"data":{"hosts":[1]}',
    '{"data" {"hosts":[]}}',
    '[}',
  ])('what is not JSON leaves a rest or an element that is not: %s', (text) => {
    const { elements, rest } = cut(text);
    expect(() => [JSON.parse(rest), ...elements.map((one) => JSON.parse(one!))]).toThrow();
  });

  test('an element that is too large is left out, the next one is not', () => {
    const { elements } = cut(`{"data":{"hosts":["${'x'.repeat(2_000)}",1]}}`);
    expect(elements).toEqual([null, '1']);
  });

  test('the rest and the number of elements are bounded', () => {
    expect(() => cut(`{"a":"${'x'.repeat(2_000)}"}`)).toThrow('at most 1000 bytes');
    expect(() => cut(`{"data":{"hosts":[${'1,'.repeat(100)}1]}}`)).toThrow('at most 100 elements');
  });

  test('property: whatever the pieces, elements and rest are those of the document', () => {
    const document = fc.record({
      data: fc.record({ hosts: fc.array(fc.jsonValue(), { maxLength: 5 }), more: fc.jsonValue() }),
      other: fc.jsonValue(),
    });
    fc.assert(
      fc.property(document, fc.integer({ min: 1, max: 40 }), fc.constantFrom(0, 2), (value, size, indent) => {
        const given = JSON.stringify(value, null, indent);
        const { elements, rest } = cut(given, size, { elementBytes: 100_000, restBytes: 100_000, elements: 100 });
        const { data, other } = JSON.parse(given);
        expect(elements.map((one) => JSON.parse(one!))).toEqual(data.hosts);
        expect(JSON.parse(rest)).toEqual({ data: { ...data, hosts: data.hosts.map(() => 0) }, other });
      }),
    );
  });
});
