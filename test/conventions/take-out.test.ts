import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { planted } from './planted.ts';
import { takeOut } from './take-out.ts';

const list = (...names: readonly string[]): string =>
  `${names.map((name) => `import { ${name} } from './${name}/feature.ts';\n`).join('')}\nexport const features: readonly Feature[] = [\n${names.map((name) => `  ${name},\n`).join('')}];\n`;

test('taking a feature out deletes its folder and its line in each list, and no other', () => {
  using tree = planted({
    'features/change-risk/feature.ts': '',
    'features/change/feature.ts': '',
    'features/features.ts': list('change', 'changeRisk').replace('./changeRisk/', './change-risk/'),
    'console/features.ts': list('change'),
    'cli/features.ts': list('changeRisk').replace('./changeRisk/', '#features/change-risk/cli/'),
  });
  takeOut(tree.path, 'change-risk');
  const left = (file: string): string => readFileSync(join(tree.path, file), 'utf8');
  expect(left('features/features.ts')).toBe(list('change'));
  expect(left('console/features.ts')).toBe(list('change'));
  expect(left('cli/features.ts')).toBe(list());
  expect(['change-risk', 'change'].map((name) => existsSync(join(tree.path, 'features', name)))).toEqual([false, true]);
});
