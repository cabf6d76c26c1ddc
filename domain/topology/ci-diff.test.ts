import { expect, test } from '@jest/globals';
import { aCi } from '#test/contract/topology-samples.ts';
import { changedFields } from './ci-diff.ts';

const before = aCi('a', {
  description: 'old',
  attributes: { os: 'linux', net: { ip: '1', mac: '2' } },
  customFields: { x: 1 },
});

test('what came, went and changed, and nothing else', () => {
  const { description: _, ...rest } = before;
  const after = {
    ...rest,
    externalKey: 'K',
    attributes: { net: { mac: '2', ip: '1' }, cpu: 8 },
    customFields: { x: [1] },
  };
  expect(changedFields(before, after)).toEqual([
    { field: 'description', before: 'old', after: null },
    { field: 'external_key', before: null, after: 'K' },
    { field: 'attributes.cpu', before: null, after: 8 },
    { field: 'custom_fields.x', before: 1, after: [1] },
    { field: 'attributes.os', before: 'linux', after: null },
  ]);
});

test('everything of a first version, nothing of an equal one', () => {
  expect(changedFields(null, aCi('a', { attributes: { os: 'linux' } })).map(({ field }) => field)).toEqual([
    'name',
    'type',
    'status',
    'attributes.os',
  ]);
  expect(changedFields(before, { ...before, revision: 2, updatedAt: 9 })).toEqual([]);
});
