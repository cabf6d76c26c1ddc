import type { Range } from '#features/ai/rules/time/range.ts';
import type { Query, QueryUnit } from './query.ts';

/** Key of the row without a value. */
export const NONE = 'none';

export interface QueryRow {
  /** ID or word of the group; start of a time, ISO 8601; `none` without a value. */
  readonly key: string;
  readonly label: string;
  /** Null: no data. */
  readonly value: number | null;
  /** Events, incidents or CIs behind it. */
  readonly count: number;
  /** Value of the previous range, if compared. */
  readonly previous?: number | null;
}

/** The only row of a result that is not grouped. */
export const wholeRow = (value: number | null, count: number): QueryRow => ({ key: 'all', label: 'all', value, count });

/** A row whose value is its count. */
export const countRow = (key: string, count: number, label = key): QueryRow => ({ key, label, value: count, count });

export interface QueryResult {
  readonly query: Query;
  readonly unit: QueryUnit;
  /** One row if there is no grouping. */
  readonly rows: readonly QueryRow[];
  /** Total without double counting. */
  readonly total: number | null;
  readonly count: number;
  /** There are more rows, or not everything was looked at. */
  readonly truncated: boolean;
  /** The counted range; null: the current state. */
  readonly range: Range | null;
  readonly previous: { readonly range: Range; readonly total: number | null; readonly count: number } | null;
  /** Names that nothing is called by. */
  readonly missing: readonly string[];
}
