import type { SQLInputValue } from 'node:sqlite';

/** A piece of a query with the values of its question marks. */
export interface Sql {
  readonly text: string;
  readonly values: readonly SQLInputValue[];
}

export const sql = (text: string, ...values: readonly SQLInputValue[]): Sql => ({ text, values });

/** All of the conditions; `1` when there is none. */
export const all = (conditions: readonly Sql[]): Sql => ({
  text: conditions.length === 0 ? '1' : conditions.map(({ text }) => text).join(' AND '),
  values: conditions.flatMap(({ values }) => values),
});
