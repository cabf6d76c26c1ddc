import { expect, test } from '@jest/globals';
import type { CiFacts } from '#console/api/cmdb/cmdb.ts';
import { conflictsOf, differences, draftOf, inputOf } from './ci-draft.ts';

const ci = {
  name: 'db-1',
  type: 'server',
  status: 'active',
  attributes: { site: 'ams2', cores: 8, tags: ['a', 'b'] },
  custom_fields: { owner: 'Ann', budget: 100 },
} as unknown as CiFacts;

test('a draft that nobody touched changes nothing', () => {
  expect(differences(ci, draftOf(ci))).toEqual([]);
});

test('only what was changed is sent; a value that is emptied goes, a number stays a number', () => {
  const draft = {
    ...draftOf(ci),
    status: 'maintenance' as const,
    description: ' Main database ',
    attributes: [
      { key: 'site', value: '' },
      { key: 'cores', value: '16' },
      { key: 'tags', value: 'a, b' },
      { key: ' rack ', value: 'R4' },
    ],
  };
  expect(inputOf(differences(ci, draft))).toEqual({
    status: 'maintenance',
    description: 'Main database',
    attributes: { site: null, cores: 16, rack: 'R4' },
  });
});

test('an attribute whose row is taken away goes', () => {
  const draft = { ...draftOf(ci), attributes: draftOf(ci).attributes.filter(({ key }) => key !== 'cores') };
  expect(inputOf(differences(ci, draft))).toEqual({ attributes: { cores: null } });
});

test('after a change by another person only fields that both changed differently are in conflict', () => {
  const now = { ...ci, status: 'inactive', attributes: { ...ci.attributes, site: 'dub3' } } as CiFacts;
  const mine = differences(ci, { ...draftOf(ci), name: 'db-01', status: 'maintenance' });
  const found = conflictsOf(ci, now, mine);
  expect(found.map(({ theirs, mine: own }) => [theirs.field, theirs.after, own?.after ?? null])).toEqual([
    ['status', 'inactive', 'maintenance'],
    ['attributes.site', 'dub3', null],
  ]);
});

test('custom fields are added, changed and removed beside attributes of the same name', () => {
  const draft = {
    ...draftOf(ci),
    custom_fields: [
      { key: 'budget', value: '120' },
      { key: 'site', value: 'own' },
    ],
  };
  expect(inputOf(differences(ci, draft))).toEqual({ custom_fields: { owner: null, budget: 120, site: 'own' } });
});
