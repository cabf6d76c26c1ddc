import { number } from '#console/text/counts.ts';
import { duration } from '#console/text/times.ts';
import { percent } from '#domain/numbers.ts';
import { isRecord } from '#domain/record-of.ts';
import type { Field, SettingRow, SettingsSection, Value } from './field.ts';

/** Pending changes, by path; empty: none. */
export type Draft = Readonly<Record<string, Value>>;

export interface Difference {
  readonly path: string;
  readonly words: string;
  readonly before: string;
  readonly after: string;
}

/** The value at a path such as `strategies.topology.hops`. */
export const valueAt = (settings: unknown, path: string): Value =>
  path.split('.').reduce<unknown>((at, part) => (isRecord(at) ? at[part] : undefined), settings) as Value;

export const isSame = (one: Value | undefined, other: Value | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** Returns the draft with one more change; a value equal to the current one is no change. */
export const wished = (draft: Draft, settings: unknown, path: string, value: Value): Draft => {
  const { [path]: _, ...others } = draft;
  return isSame(value, valueAt(settings, path)) ? others : { ...others, [path]: value };
};

const laid = (
  patch: Readonly<Record<string, unknown>>,
  path: readonly string[],
  value: unknown,
): Record<string, unknown> => {
  const [part = '', ...rest] = path;
  if (rest.length === 0) return { ...patch, [part]: value };
  const inner = patch[part];
  return { ...patch, [part]: laid(isRecord(inner) ? inner : {}, rest, value) };
};

/** Returns the patch for the server; a value equal to the default is reset. */
export const patchOf = (draft: Draft, defaults: unknown): Record<string, unknown> =>
  Object.entries(draft).reduce<Record<string, unknown>>(
    (patch, [path, value]) => laid(patch, path.split('.'), isSame(value, valueAt(defaults, path)) ? null : value),
    {},
  );

const isWhole = (value: unknown): value is Value => !isRecord(value);
/** Plain values by path, such as `strategies.topology.hops`. */
export const leaves = (patch: Readonly<Record<string, unknown>>, before = ''): (readonly [string, unknown])[] =>
  Object.entries(patch).flatMap(([name, value]): (readonly [string, unknown])[] =>
    isRecord(value) ? leaves(value, `${before}${name}.`) : [[`${before}${name}`, value]],
  );

/** Returns the changes of a patch; only settings that exist here. */
export const draftOf = (patch: Readonly<Record<string, unknown>>, { effective, defaults }: Stand): Draft =>
  leaves(patch).reduce<Draft>((draft, [path, value]) => {
    const meant = value === null ? valueAt(defaults, path) : value;
    return isWhole(meant) && meant !== undefined ? wished(draft, effective, path, meant as Value) : draft;
  }, {});

export interface Stand {
  readonly effective: unknown;
  readonly defaults: unknown;
}

/** `0.75` and `1000` as they are typed, `200,000` as it is read. */
const numeral = (value: number): string => (value >= 10_000 ? number(value) : String(value));

/** `15 min`, `on`, `automatic`: a value as it is read. */
export const said = (field: Field, value: Value): string => {
  if (field.kind === 'switch') return value === true ? 'on' : 'off';
  if ((field.kind === 'number' || field.kind === 'text') && value === null) return field.none ?? 'none';
  if (field.kind === 'number' && typeof value === 'number') return field.isShare ? percent(value) : numeral(value);
  if (field.kind === 'duration') return typeof value === 'number' ? duration(value) : String(value);
  if (field.kind === 'choice') {
    const known = field.choices.find((one) => isSame(one.value, value));
    return known?.words ?? (typeof value === 'number' ? duration(value) : String(value));
  }
  if (!Array.isArray(value)) return String(value);
  if (value.length === 0) return 'none';
  const words = field.kind === 'several' ? field.choices : [];
  return value.map((one) => words.find((choice) => choice.value === one)?.words ?? one).join(', ');
};

/** The name of a setting, with that of its field where it has several. */
export const settingName = ({ words, fields }: Pick<SettingRow, 'words' | 'fields'>, field: Field): string =>
  fields.length === 1 || field.kind === 'switch' ? words : `${words}, ${field.words}`;

/** Differences, in the order of the page. */
export const differences = (draft: Draft, settings: unknown, sections: readonly SettingsSection[]): Difference[] =>
  sections.flatMap(({ rows }) =>
    rows.flatMap((row) =>
      row.fields.flatMap((field): Difference[] => {
        const after = draft[field.path];
        if (after === undefined) return [];
        return [
          {
            path: field.path,
            words: settingName(row, field),
            before: said(field, valueAt(settings, field.path)),
            after: said(field, after),
          },
        ];
      }),
    ),
  );

/** Returns changes with a conflict: the current value differs from the one when they were made. */
export const overtaken = (draft: Draft, before: unknown, now: unknown): string[] =>
  Object.keys(draft).filter((path) => !isSame(valueAt(before, path), valueAt(now, path)));
