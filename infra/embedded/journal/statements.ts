import type { SQLInputValue } from 'node:sqlite';
import { deserialize, serialize } from 'node:v8';
import { itemAt } from '#domain/known.ts';
import type { Prepare, Statement } from '#infra/embedded/sqlite/rows.ts';

/** Changes of rows in order, in a form that is cheap to serialise and to send to another thread. */
export interface RowChanges {
  /** Each text once. */
  readonly texts: string[];
  /** For each change the index of its text and the number of its values. */
  readonly steps: number[];
  readonly values: SQLInputValue[];
}

export const countChanges = ({ steps }: RowChanges): number => steps.length / 2;

/** As the journal has them. */
export const packChanges = (changes: RowChanges): Uint8Array<ArrayBuffer> => serialize(changes);
export const unpackChanges = (content: Uint8Array): RowChanges => deserialize(content) as RowChanges;

/** Records statements instead of running them. */
export class StatementRecorder {
  readonly changes: RowChanges = { texts: [], steps: [], values: [] };
  readonly #places = new Map<string, number>();

  record(text: string, values: readonly SQLInputValue[]): void {
    const { texts, steps, values: all } = this.changes;
    let place = this.#places.get(text);
    if (place === undefined) {
      place = texts.push(text) - 1;
      this.#places.set(text, place);
    }
    steps.push(place, values.length);
    for (const value of values) all.push(value);
  }
}

/** Receives a change that failed; throws to stop the others, too. */
type Refuse = (text: string, values: readonly SQLInputValue[], error: unknown) => void;

const refuseAll: Refuse = (_text, _values, error) => {
  throw error;
};

/** Runs the statements in order; to be called within a transaction. Without `refuse` the first error is thrown. */
export function execute(statement: Prepare, { texts, steps, values }: RowChanges, refuse: Refuse = refuseAll): void {
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
