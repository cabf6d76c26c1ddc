import { expect, test } from '@jest/globals';
import { buildInfrastructure } from './infrastructure.ts';
import { seeded } from './random.ts';

test('no two things share a name in any spelling, so that monitors are understood', () => {
  const names = buildInfrastructure(seeded(1)).cis.map(({ name }) => name.toLowerCase());
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});
