import { isNearly } from '#domain/search/nearly.ts';
import { pairPart } from '#domain/text.ts';
import { type Delimiter, delimiterOf } from '#features/transfer/rules/delimiter.ts';
import { FIELD_WORDS } from '#features/transfer/rules/field-words.ts';
import { wordOf } from '#features/transfer/rules/foreign-types.ts';
import type { ImportKind } from './file/kinds.ts';

/** Fields by the names of their columns. */
export type ColumnMapping = Readonly<Record<string, string>>;

const fieldsOf = (kind: ImportKind): string[] => [...new Set(FIELD_WORDS[kind].values())];

/** Fields that a column may fill: known ones, and one of its own. */
export const choicesFor = (kind: ImportKind, column: string): string[] => {
  const own = wordOf(column).slice(0, 100);
  const bags = kind === 'cis' ? ['attributes', 'custom_fields'] : ['attributes'];
  const added = own === '' ? [] : bags.map((bag) => `${bag}.${own}`);
  return [...new Set([...fieldsOf(kind), ...added])];
};

/** 0: not alike. */
const likeness = (column: string, word: string): number => {
  if (column === word) return 4;
  if (isNearly(column, word)) return 3;
  return column.split('_').includes(word) ? 2 : 0;
};

/** Returns fields for columns: those chosen before, and those with similar names. No field occurs twice. */
export const suggested = (kind: ImportKind, columns: readonly string[], before: ColumnMapping): ColumnMapping => {
  const remembered = columns.flatMap((column) => {
    const field = before[wordOf(column)];
    return field === undefined ? [] : [{ column, field, score: 5 }];
  });
  const alike = columns.flatMap((column) =>
    [...FIELD_WORDS[kind]].flatMap(([word, field]) => {
      const score = likeness(wordOf(column), word);
      return score === 0 ? [] : [{ column, field, score }];
    }),
  );
  const best = [...remembered, ...alike].toSorted((a, b) => b.score - a.score);
  const chosen = new Map<string, string>();
  for (const { column, field } of best)
    if (!chosen.has(column) && ![...chosen.values()].includes(field)) chosen.set(column, field);
  return Object.fromEntries(chosen);
};

/** The mapping as the server reads it. */
export const mappingText = (mapping: ColumnMapping): string =>
  Object.entries(mapping)
    .map(([column, field]) => `${pairPart(column)}:${pairPart(field)}`)
    .join(',');

const PATTERNS: Readonly<Record<Delimiter, RegExp>> = {
  ',': /(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g,
  ';': /(?:^|;)(?:"((?:[^"]|"")*)"|([^;]*))/g,
  '\t': /(?:^|\t)(?:"((?:[^"]|"")*)"|([^\t]*))/g,
};

/** Names of the columns of a CSV header. */
export const columnNames = (header: string): string[] => {
  const pattern = PATTERNS[delimiterOf(header)];
  const names = [...header.matchAll(pattern)];
  return names.map(([, quoted, plain]) => (quoted?.replaceAll('""', '"') ?? plain ?? '').trim());
};

const MAX_REMEMBERED = 200;
const KEY = (kind: ImportKind): string => `faultline-import-${kind}`;
type Shelf = Pick<Storage, 'getItem' | 'setItem'>;

/** Mappings of earlier imports in this browser. */
export const rememberedMapping = (shelf: Shelf, kind: ImportKind): ColumnMapping => {
  try {
    const kept: unknown = JSON.parse(shelf.getItem(KEY(kind)) ?? '{}');
    const entries = typeof kept === 'object' && kept !== null ? Object.entries(kept) : [];
    return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
  } catch {
    return {};
  }
};

export const rememberMapping = (shelf: Shelf, kind: ImportKind, mapping: ColumnMapping): void => {
  const added = Object.entries(mapping).map(([column, field]) => [wordOf(column), field]);
  const known = Object.entries(rememberedMapping(shelf, kind));
  const all = new Map([...added, ...known].slice(0, MAX_REMEMBERED).toReversed() as [string, string][]);
  shelf.setItem(KEY(kind), JSON.stringify(Object.fromEntries(all)));
};
