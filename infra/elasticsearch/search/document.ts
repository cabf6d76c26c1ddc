import { plainWords } from '#domain/plain-words.ts';
import type { SearchDocument, SearchKind, SearchRef } from '#domain/search/document.ts';
import { stemOf } from '#domain/search/stem.ts';
import type { DocumentWrite } from '#infra/elasticsearch/cluster/bulk.ts';
import { documentId, type Names } from '#infra/elasticsearch/cluster/names.ts';
import type { DocumentAddress } from '#infra/elasticsearch/documents/documents.ts';

/** As stored: the document, and what it is found by. */
export interface StoredDocument {
  readonly tenant: string;
  readonly kind: SearchKind;
  readonly id: string;
  readonly at: number;
  readonly document: SearchDocument;
  /** Stems between spaces. */
  readonly title: string;
  readonly text: string;
  /** Names between spaces. */
  readonly concepts: string;
  readonly keywords: readonly string[];
}

/** Stems between spaces: a plain Elasticsearch has no analyzer that makes them. */
export const stems = (text: string): string => plainWords(text).split(' ').map(stemOf).join(' ');

export const placeOf = (names: Names, tenant: string, { kind, id }: SearchRef): DocumentAddress => ({
  index: names.single('search'),
  id: documentId(tenant, kind, id),
});

const storedOf = (tenant: string, document: SearchDocument): StoredDocument => ({
  tenant,
  kind: document.kind,
  id: document.id,
  at: document.at,
  document,
  title: stems(document.title),
  text: stems(document.text),
  concepts: (document.concepts ?? []).join(' '),
  keywords: document.keywords ?? [],
});

/** `now`, ms: whoever writes last is right, whichever process it is. */
export const documentWrite = (names: Names, tenant: string, document: SearchDocument, now: number): DocumentWrite => ({
  ...placeOf(names, tenant, document),
  family: 'search',
  key: { tenant, id: document.id },
  fence: 'gte',
  version: now,
  body: storedOf(tenant, document),
  creates: true,
});
