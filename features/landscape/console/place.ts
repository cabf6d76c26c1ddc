import { fieldWords } from '#console/cis/ci-words.ts';
import type { AddressSearch } from '#console/hooks/use-address.ts';
import { inSentence, plain } from '#console/text/counts.ts';
import { pairPart } from '#domain/text.ts';
import type { LandscapeBoxData } from './api.ts';
import * as text from './texts.ts';

/** The part of a landscape that the address names: a value for each of the first levels. */
export interface LandscapePlace {
  /** Null: the server chooses levels that fit the attributes. */
  readonly levels: readonly string[] | null;
  /** Null: CIs without such a value. */
  readonly path: readonly (string | null)[];
}
export const PLACE_KNOWN = ['levels', 'path', 'chosen'] as const;

export const MAX_LEVELS = 3;
const SHOWN_LEVELS = 2;

const pathText = (path: LandscapePlace['path']): string =>
  path.map((value) => (value === null ? '\\0' : value.replaceAll(/[\\,]/g, '\\$&'))).join(',');

const pathOf = (written: string): LandscapePlace['path'] => {
  const values: (string | null)[] = [''];
  for (let i = 0; i < written.length; i++) {
    const at = values.length - 1;
    const mark = written.charAt(i);
    if (mark === ',') values.push('');
    else if (mark === '\\' && written.charAt(i + 1) === '0') {
      values[at] = null;
      i += 1;
    } else values[at] = `${values[at] ?? ''}${mark === '\\' ? written.charAt(++i) : mark}`;
  }
  return values;
};

export const placeOf = ({ levels, path }: AddressSearch): LandscapePlace => {
  const named = levels === undefined ? null : levels.split(',').slice(0, MAX_LEVELS);
  return { levels: named, path: path === undefined || named === null ? [] : pathOf(path).slice(0, named.length) };
};

/** The parts of the address of a box. */
export const addressOf = (levels: readonly string[], path: LandscapePlace['path']) => ({
  levels: levels.join(','),
  path: path.length === 0 ? null : pathText(path),
  chosen: null,
});

const PAIRS = [
  ['attribute.', 'attribute'],
  ['custom_field.', 'custom_field'],
] as const;

/** Parameters of the request; those of its filter are also of a list of CIs. */
export function askedLandscape({ levels, path }: LandscapePlace): Record<string, string> {
  if (levels === null) return {};
  const asked: Record<string, string[]> = {};
  for (const [i, value] of path.entries()) {
    const level = levels[i] ?? '';
    const [prefix = '', name] = PAIRS.find(([one]) => level.startsWith(one)) ?? [];
    const pair = value === null ? '' : `${pairPart(level.slice(prefix.length))}:${pairPart(value)}`;
    if (value === null) asked.without = [...(asked.without ?? []), level];
    else if (name === undefined) asked.type = [value];
    else asked[name] = [...(asked[name] ?? []), pair];
  }
  const by = [...levels.slice(path.length), 'ci'].slice(0, SHOWN_LEVELS);
  return Object.fromEntries(Object.entries({ ...asked, by }).map(([name, values]) => [name, values.join(',')]));
}

/** `attribute.site` → `Site`. */
export const levelWords = (level: string): string =>
  level === 'type' ? text.typeWord : fieldWords(level.replace(/^(attribute|custom_field)\./, ''));

/** Name of a box of this level. */
export const boxName = (level: string, { value }: Pick<LandscapeBoxData, 'value'>): string => {
  if (value === null) return text.noValue(inSentence(levelWords(level)));
  return level === 'type' ? plain(value) : value;
};
