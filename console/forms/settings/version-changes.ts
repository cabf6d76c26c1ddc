import type { FormChange } from '#console/forms/form-change.ts';
import { number } from '#console/text/counts.ts';
import { said } from './draft.ts';
import type { Field, SettingsSection, Value } from './field.ts';
import * as text from './texts.ts';

type Overrides = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Overrides =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Plain values by path, such as `strategies.topology.hops`. */
const leavesOf = (value: unknown, path = ''): (readonly [string, unknown])[] =>
  isRecord(value)
    ? Object.entries(value).flatMap(([name, one]) => leavesOf(one, path === '' ? name : `${path}.${name}`))
    : [[path, value]];

interface Label {
  readonly words: string;
  readonly field: Field;
}
const labelsIn = (sections: readonly SettingsSection[]): ReadonlyMap<string, Label> =>
  new Map(
    sections.flatMap(({ rows }) =>
      rows.flatMap(({ words, fields }) =>
        fields.map((field) => {
          const name = fields.length === 1 || field.kind === 'switch' ? words : `${words}, ${field.words}`;
          return [field.path, { words: name, field }] as const;
        }),
      ),
    ),
  );

const plainText = (value: unknown): string => {
  if (typeof value === 'number') return number(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
};

/** Differences of two versions, by name of the setting; absent values are the default. */
export const versionChanges = (
  before: Overrides,
  after: Overrides,
  sections: readonly SettingsSection[],
): FormChange[] => {
  const labels = labelsIn(sections);
  const [was, is] = [new Map(leavesOf(before)), new Map(leavesOf(after))];
  const shown = (path: string, values: ReadonlyMap<string, unknown>): string => {
    if (!values.has(path)) return text.byDefault;
    const label = labels.get(path);
    const value = values.get(path);
    return label === undefined ? plainText(value) : said(label.field, value as Value);
  };
  return [...new Set([...was.keys(), ...is.keys()])]
    .filter((path) => path !== '' && JSON.stringify(was.get(path)) !== JSON.stringify(is.get(path)))
    .map((path) => ({ field: labels.get(path)?.words ?? path, before: shown(path, was), after: shown(path, is) }));
};
