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

/**
 * Statements on text indexes. SQLite has an index write what it gathered as a segment of its own before each statement
 * with triggers, and merges of these cost more than all other rows of an event.
 */
const OF_TEXT_INDEX = /^(?:INSERT OR REPLACE INTO|DELETE FROM) (?:event_text|search_text|search_due)\b/;

interface LateStatement {
  readonly text: string;
  /** The first one is the number of a row, in the order of which the index is fast. */
  readonly values: readonly SQLInputValue[];
  readonly refuse: Refuse;
}

/** Statements on text indexes, which run at the end of their transaction; one without values runs once. */
export class LateStatements {
  #waiting: LateStatement[] = [];
  readonly #once = new Set<string>();

  /** False for a statement that runs in its turn. */
  take(late: LateStatement): boolean {
    if (!OF_TEXT_INDEX.test(late.text)) return false;
    if (late.values.length > 0 || !this.#once.has(late.text)) this.#waiting.push(late);
    if (late.values.length === 0) this.#once.add(late.text);
    return true;
  }

  run(statement: Prepare): void {
    const place = ({ values: [row] }: LateStatement): number => Number(row ?? Number.MAX_SAFE_INTEGER);
    for (const { text, values, refuse } of this.#waiting.sort((a, b) => place(a) - place(b)))
      try {
        statement(text).run(...values);
      } catch (error) {
        refuse(text, values, error);
      }
    this.clear();
  }

  clear(): void {
    this.#waiting = [];
    this.#once.clear();
  }
}

/**
 * Runs the statements in order, or leaves some to `late`; to be called within a transaction. Without `refuse` the first
 * error is thrown.
 */
export function execute(
  statement: Prepare,
  { texts, steps, values }: RowChanges,
  { refuse = rejectAll, late }: { readonly refuse?: Refuse; readonly late?: LateStatements } = {},
): void {
  const statements: Statement<unknown>[] = [];
  for (let step = 0, from = 0; step < steps.length; step += 2) {
    const place = itemAt(steps, step);
    const text = itemAt(texts, place);
    const own = values.slice(from, from + itemAt(steps, step + 1));
    from += own.length;
    if (late?.take({ text, values: own, refuse })) continue;
    try {
      statements[place] ??= statement(text);
      statements[place].run(...own);
    } catch (error) {
      refuse(text, own, error);
    }
  }
}
