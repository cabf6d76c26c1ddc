import { Buffer } from 'node:buffer';
import { isCutOtherwise, plainWords } from '#domain/plain-words.ts';
import type { SearchDocument, SearchKind, SearchRef } from '#domain/search/document.ts';
import { textBefore } from '#domain/text.ts';

export const COLUMNS = 'kind, id, at, title, text, concepts, keywords, facts';

export type DocumentRow = readonly [
  kind: SearchKind,
  id: string,
  at: number,
  title: string,
  text: string,
  concepts: string,
  keywords: string,
  facts: string,
];

/** The name of a concept, of letters and hyphens, as one search word without an ending; and back. */
export const conceptWord = (name: string): string => `c${name.replaceAll('-', '9')}0`;
const conceptName = (word: string): string => word.slice(1, -1).replaceAll('9', '-');

/** Tenant and kind as one search word: names hold hyphens, which would split it. */
export const scopeWord = (tenant: string, kind: SearchKind): string =>
  `t${Buffer.from(tenant).toString('hex')}x${kind}0`;

/** Words that SQLite would split differently, behind the concepts, in their column. */
const otherWords = (title: string, text: string): string[] => {
  const all = `${title}\n${text}`;
  return isCutOtherwise(all) ? [plainWords(all)] : [];
};
const conceptsIn = (column: string): string[] => {
  const concepts = textBefore(column, '\n');
  return concepts === '' ? [] : concepts.split(' ').map(conceptName);
};

export const rowOf = ({
  kind,
  id,
  at,
  title,
  text,
  concepts = [],
  keywords = [],
  facts = {},
}: SearchDocument): DocumentRow => [
  kind,
  id,
  at,
  title,
  text,
  [concepts.map(conceptWord).join(' '), ...otherWords(title, text)].join('\n'),
  JSON.stringify(keywords),
  JSON.stringify(facts),
];

export const documentOf = ([kind, id, at, title, text, concepts, keywords, facts]: readonly [
  ...DocumentRow,
  ...unknown[],
]): SearchDocument => ({
  kind,
  id,
  at,
  title,
  text,
  concepts: conceptsIn(concepts),
  keywords: JSON.parse(keywords) as string[],
  facts: JSON.parse(facts) as Record<string, unknown>,
});

export const keyOf = (tenant: string, { kind, id }: SearchRef): string => `${tenant}\n${kind}\n${id}`;
