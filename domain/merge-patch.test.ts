import { describe, expect, test } from '@jest/globals';
import { mergeOverrides, mergePatch } from './merge-patch.ts';

describe('merge patch of overrides', () => {
  test.each([
    ['a value is set', {}, { a: 1 }, { a: 1 }],
    ['absent keeps', { a: 1, b: 2 }, { b: 3 }, { a: 1, b: 3 }],
    ['undefined keeps', { a: 1 }, { a: undefined }, { a: 1 }],
    ['null removes', { a: 1, b: 2 }, { a: null }, { b: 2 }],
    ['null of what is not there', {}, { a: null }, {}],
    ['objects merge', { s: { x: 1, y: 2 } }, { s: { y: 3 } }, { s: { x: 1, y: 3 } }],
    ['null inside', { s: { x: 1, y: 2 } }, { s: { y: null } }, { s: { x: 1 } }],
    ['empty objects go', { s: { x: 1 } }, { s: { x: null } }, {}],
    ['new nested object without nulls', {}, { s: { x: null, y: { z: 1 } } }, { s: { y: { z: 1 } } }],
    ['arrays are replaced', { l: [1, 2] }, { l: [3] }, { l: [3] }],
    ['an object replaces a value', { a: 1 }, { a: { b: 2 } }, { a: { b: 2 } }],
    ['inherited names are no base', {}, { constructor: { x: 1 } }, { constructor: { x: 1 } }],
  ])('%s', (_, stored, patch, merged) => expect(mergeOverrides(stored, patch)).toEqual(merged));

  test('the stored overrides are not changed', () => {
    const stored = { s: { x: 1 } };
    mergeOverrides(stored, { s: { x: 2 } });
    expect(stored).toEqual({ s: { x: 1 } });
  });
});

// RFC 7396, Appendix A: the cases whose target and patch are objects.
test.each([
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
])('%j patched with %j is %j', (stored, patch, merged) => expect(mergePatch(stored, patch)).toEqual(merged));
