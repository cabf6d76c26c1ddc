import type { Range } from '#features/ai/rules/time/range.ts';
import type { Query, QueryUnit } from './query.ts';

/** Key of the row of what has none. */
export const NONE = 'none';

export interface QueryRow {
  /** Id or word of the group; of time its begin, ISO 8601; `none` for what has none. */
  readonly key: string;
  readonly label: string;
  /** Null: nothing to take it of. */
  readonly value: number | null;
  /** Events, incidents or CIs behind it. */
  readonly count: number;
  /** In the range before, when it is compared. */
  readonly previous?: number | null;
}

export interface QueryResult {
  readonly query: Query;
  readonly unit: QueryUnit;
  /** Without a grouping one row, of all. */
  readonly rows: readonly QueryRow[];
  /** Of all that is counted, each once. */
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
