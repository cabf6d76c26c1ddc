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

/** Makes the changes, one after the other; to be called within a transaction. */
export function carryOut(statement: (text: string) => StatementSync, { texts, steps, values }: Changes): void {
  const statements = texts.map(statement);
  for (let step = 0, from = 0; step < steps.length; step += 2) {
    const to = from + steps[step + 1]!;
    statements[steps[step]!]!.run(...values.slice(from, to));
    from = to;
  }
}
