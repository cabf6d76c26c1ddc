import type { SQLInputValue, StatementSync } from 'node:sqlite';

/** Changes of rows in the order in which they are to be made, in a form that is cheap to write down and to send to another thread. */
export interface Changes {
  /** Each text once. */
  readonly texts: string[];
  /** For each change the place of its text and how many values it takes. */
  readonly steps: number[];
  readonly values: SQLInputValue[];
}

/** Writes down changes instead of making them. */
export class Gathering {
  readonly changes: Changes = { texts: [], steps: [], values: [] };
  readonly #places = new Map<string, number>();

  add(text: string, values: readonly SQLInputValue[]): void {
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

/** Told of a change that cannot be made; throws when the others are not to be made either. */
type Refuse = (text: string, values: readonly SQLInputValue[], error: unknown) => void;

const refuseAll: Refuse = (_text, _values, error) => {
  throw error;
};

/** Makes the changes, one after the other; to be called within a transaction. Without `refuse` the first that fails is thrown. */
export function carryOut(
  statement: (text: string) => StatementSync,
  { texts, steps, values }: Changes,
  refuse: Refuse = refuseAll,
): void {
  const statements: StatementSync[] = [];
  for (let step = 0, from = 0; step < steps.length; step += 2) {
    const place = steps[step]!;
    const own = values.slice(from, from + steps[step + 1]!);
    from += own.length;
    try {
      statements[place] ??= statement(texts[place]!);
      statements[place].run(...own);
    } catch (error) {
      refuse(texts[place]!, own, error);
    }
  }
}
