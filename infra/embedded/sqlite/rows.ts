import type { SQLInputValue, StatementSync } from 'node:sqlite';

/** A prepared statement whose rows are of one type, which the text of the statement promises. */
export interface Statement<R> extends Omit<StatementSync, 'get' | 'all' | 'iterate'> {
  get(...values: SQLInputValue[]): R | undefined;
  all(...values: SQLInputValue[]): R[];
  iterate(...values: SQLInputValue[]): IterableIterator<R>;
}

/** Returns the prepared statement of a text; the caller declares the type of its rows. */
export type Prepare = <R = Record<string, unknown>>(sql: string) => Statement<R>;

/** The row of a statement that always has one, such as a count. */
export function onlyRow<R>(row: R | undefined): R {
  if (row === undefined) throw new Error('A statement that must return a row returned none');
  return row;
}
