import { expect, test } from '@jest/globals';
import { patchOf, valueAt } from '#console/forms/settings/draft.ts';
import type { Field } from '#console/forms/settings/field.ts';
import { DEFAULT_AI_SETTINGS } from '#domain/ai/settings.ts';
import { AiSettingsPatch } from '#features/ai/schemas/settings.ts';
import { AI_SECTIONS } from './ai-fields.ts';

const FIELDS = AI_SECTIONS.flatMap(({ rows }) => rows.flatMap(({ fields }) => fields));
const PATHS = FIELDS.map((field) => [field.path, field] as const);

const extremes = (field: Field): readonly [unknown, boolean][] => {
  if (field.kind === 'number')
    return [
      [field.least, true],
      [field.most, true],
      [field.least - 1, false],
      [field.most + 1, false],
    ];
  if (field.kind === 'choice')
    return [...field.choices.slice(0, 3).map(({ value }) => [value, true] as [unknown, boolean]), ['no/such', false]];
  if (field.kind === 'text')
    return [
      ['DE', true],
      ['XX', false],
    ];
  return [[true, true]];
};

test.each(PATHS)('%s has the bounds of the server', (path, field) => {
  for (const [value, isGood] of extremes(field)) {
    const patch = patchOf({ [path]: value as never }, {});
    expect([value, AiSettingsPatch.safeParse(patch).success]).toEqual([value, isGood]);
  }
});

test('there is none that the page leaves out, and what may be null says what that means', () => {
  // Runbooks have a section of their own.
  const { runbooks: _, ...shown } = DEFAULT_AI_SETTINGS;
  expect(FIELDS.map(({ path }) => path).sort()).toEqual(Object.keys(shown).sort());
  const nullable = FIELDS.filter((field) => 'none' in field).map(({ path }) => path);
  const nulls = Object.keys(DEFAULT_AI_SETTINGS).filter((path) => valueAt(DEFAULT_AI_SETTINGS, path) === null);
  expect(nullable.sort()).toEqual(nulls.sort());
});
