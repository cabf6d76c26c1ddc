export interface PageRequest<S extends string> {
  readonly sort: S;
  readonly order: 'asc' | 'desc';
  readonly limit: number;
  /** Rows to skip, or an opaque cursor from an earlier page; not both. */
  readonly offset?: number;
  readonly cursor?: string;
}

/** Some of many; `nextCursor` is null when no more follow. */
export interface Part<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | null;
}
/** `total` is exact. Ties are ordered by id. */
export interface Page<T> extends Part<T> {
  readonly total: number;
}
export type PartRequest = Pick<PageRequest<string>, 'limit' | 'cursor'>;
