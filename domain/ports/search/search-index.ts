import type { SearchDocument, SearchKind, SearchRef } from '#domain/search/document.ts';

/** `limit`: at most 1,000. */
interface SearchScope {
  readonly kinds: readonly SearchKind[];
  readonly limit: number;
}

export interface SearchQuery extends SearchScope {
  /** Any of them, in any form of the word; a word with several parts, such as `db-01`, is found as a whole. */
  readonly words: readonly string[];
  /** Names of concepts: any of them or of the words. */
  readonly concepts?: readonly string[];
  /** All of them, word after word. */
  readonly phrases?: readonly string[];
  /** Those of the words that may have typing errors, of three letters and more: one up to seven letters, else two. The first letter is right. */
  readonly alike?: readonly string[];
}

export interface KeywordQuery extends SearchScope {
  /** Any of them. */
  readonly keywords: readonly string[];
}

export interface SearchHit {
  readonly document: SearchDocument;
  /** The higher the better; of no meaning beside the others of one answer. */
  readonly score: number;
}

export interface DocumentListOptions {
  readonly kind: SearchKind;
  /** `next` of the part before. */
  readonly after?: string;
  readonly limit: number;
}
export interface DocumentPart {
  readonly documents: readonly SearchDocument[];
  /** Null: there are no more. */
  readonly next: string | null;
}

/**
 * Finds documents by their words. A tenant sees its own alone. Throws Fault `unavailable` when the store is down or on
 * a timeout.
 */
export interface SearchIndex {
  /** Replaces the document of the same kind and id. */
  put(tenant: string, documents: readonly SearchDocument[]): Promise<void>;
  remove(tenant: string, refs: readonly SearchRef[]): Promise<void>;
  /** Removes the oldest of a kind, except the newest `keep`; may leave some of them for the next call. */
  trim(tenant: string, kind: SearchKind, keep: number): Promise<void>;
  /** Returns existing documents, in no order, as last written. */
  get(tenant: string, refs: readonly SearchRef[]): Promise<SearchDocument[]>;
  /** The newest first. */
  list(tenant: string, options: DocumentListOptions): Promise<DocumentPart>;
  /** Best first by BM25, the title weighing more than the text; of equal ones the newer first. */
  search(tenant: string, query: SearchQuery): Promise<readonly SearchHit[]>;
  /** Those with the most of the keywords first, then the newest. */
  tagged(tenant: string, query: KeywordQuery): Promise<readonly SearchHit[]>;
}
