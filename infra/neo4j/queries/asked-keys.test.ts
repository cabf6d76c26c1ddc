import { expect, test } from '@jest/globals';
import { askedOf } from './bind.ts';

test('every key that any method may look up, once', () => {
  const queries = [
    { ciId: 'ID-1', hints: ['Hint'], hostname: 'Web.Example', ipAddress: '::FFFF:10.0.0.1' },
    { ciId: 'ID-1', hostname: 'db' },
  ];
  const { ids, keys } = askedOf(queries);
  expect(ids).toEqual(['ID-1', 'Hint']);
  expect([...keys].sort()).toEqual(
    [
      'e:id-1',
      'e:hint',
      'e:web.example',
      'e:db',
      'w:hint',
      'w:web.example',
      's:web',
      'a:::FFFF:10.0.0.1',
      'a:10.0.0.1',
      'w:db',
      's:db',
    ].sort(),
  );
});

test('nothing for queries that say nothing', () => {
  const { ids, keys } = askedOf([{}]);
  expect([ids, keys.filter((key) => key !== 'a:')]).toEqual([[], []]);
});
