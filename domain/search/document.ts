/** Kinds of search results. `complaint`: all events with one pattern of the title. */
export const SEARCH_KINDS = ['complaint', 'incident', 'ci', 'service', 'insight', 'report'] as const;
export type SearchKind = (typeof SEARCH_KINDS)[number];

export interface SearchRef {
  readonly kind: SearchKind;
  readonly id: string;
}

/** One thing as it is found. */
export interface SearchDocument extends SearchRef {
  readonly title: string;
  readonly text: string;
  /** Exact tokens, such as `port5432` or `process:nginx`. */
  readonly keywords?: readonly string[];
  /** Names of the concepts that title and text speak of (`concepts.ts`). */
  readonly concepts?: readonly string[];
  /** Newest time of the thing, ms. */
  readonly at: number;
  /** Small JSON stored with it. */
  readonly facts?: Readonly<Record<string, unknown>>;
}
