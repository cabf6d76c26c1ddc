import type { FormChange } from '#console/forms/form-change.ts';
import { number } from '#console/text/counts.ts';
import { leaves, said, settingName } from './draft.ts';
import type { Field, SettingsSection, Value } from './field.ts';
import * as text from './texts.ts';

type VersionOverrides = Readonly<Record<string, unknown>>;

interface SettingLabel {
  readonly words: string;
  readonly field: Field;
}
const labelsIn = (sections: readonly SettingsSection[]): ReadonlyMap<string, SettingLabel> =>
  new Map(
    sections.flatMap(({ rows }) =>
      rows.flatMap((row) =>
        row.fields.map((field) => [field.path, { words: settingName(row, field), field }] as const),
      ),
    ),
  );

const plainText = (value: unknown): string => {
  if (typeof value === 'number') return number(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
};

/** Differences of two versions, by name of the setting; absent values are the default. */
export const versionChanges = (
  before: VersionOverrides,
  after: VersionOverrides,
  sections: readonly SettingsSection[],
): FormChange[] => {
  const labels = labelsIn(sections);
  const [was, is] = [new Map(leaves(before)), new Map(leaves(after))];
  const shown = (path: string, values: ReadonlyMap<string, unknown>): string => {
    if (!values.has(path)) return text.byDefault;
    const label = labels.get(path);
    const value = values.get(path);
    return label === undefined ? plainText(value) : said(label.field, value as Value);
  };
  return [...new Set([...was.keys(), ...is.keys()])]
    .filter((path) => JSON.stringify(was.get(path)) !== JSON.stringify(is.get(path)))
    .map((path) => ({ field: labels.get(path)?.words ?? path, before: shown(path, was), after: shown(path, is) }));
};
