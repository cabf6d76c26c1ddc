import type { SQLInputValue } from 'node:sqlite';
import { itemAt } from '#domain/assert.ts';
import type { Prepare, Statement } from '#infra/embedded/sqlite/rows.ts';

/** Changes of rows in order, in a form that is cheap to serialize and to send to another thread. */
export interface RowChanges {
  /** Each text once. */
  readonly texts: string[];
  /** Index of the text and number of values, for each change. */
  readonly steps: number[];
  readonly values: SQLInputValue[];
}

/** Receives a change that failed; throws to stop the others, too. */
type Refuse = (text: string, values: readonly SQLInputValue[], error: unknown) => void;

const rejectAll: Refuse = (_text, _values, error) => {
  throw error;
};

/** Runs the statements in order; to be called within a transaction. Without `refuse` the first error is thrown. */
export function execute(statement: Prepare, { texts, steps, values }: RowChanges, refuse: Refuse = rejectAll): void {
  const statements: Statement<unknown>[] = [];
  for (let step = 0, from = 0; step < steps.length; step += 2) {
    const place = itemAt(steps, step);
    const text = itemAt(texts, place);
    const own = values.slice(from, from + itemAt(steps, step + 1));
    from += own.length;
    try {
      statements[place] ??= statement(text);
      statements[place].run(...own);
    } catch (error) {
      refuse(text, own, error);
    }
  }
}
