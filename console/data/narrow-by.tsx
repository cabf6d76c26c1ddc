import type { ReactNode } from 'react';
import choice from '#console/data/choice.module.css';
import type { Address } from '#console/hooks/use-address.ts';
import { number } from '#console/text/counts.ts';
import { switched } from './filters.ts';
import classes from './narrow-by.module.css';

/** Filter options beside a list. */
export function NarrowBy({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <aside className={classes.side} aria-label={label}>
      {children}
    </aside>
  );
}

export interface NarrowValue {
  readonly value: string;
  readonly words: string;
  readonly count: number;
  readonly hint?: string;
}

interface Props {
  /** Name of the filter that they set. */
  readonly name: string;
  readonly values: readonly NarrowValue[];
  readonly address: Address;
}

/** Values of one filter with their counts; a click sets one, another click unsets it. */
export function NarrowValues({ name, values, address }: Props) {
  const set = new Set((address.query[name] ?? '').split(','));
  return (
    <ul className={classes.values}>
      {values.map(({ value, words, count, hint }) => (
        <li key={value}>
          <button
            type="button"
            className={`${choice.choice} ${classes.value}`}
            aria-pressed={set.has(value)}
            onClick={() => address.change({ [name]: switched(address.query[name], value) })}
          >
            <span className={classes.words} title={hint ?? words}>
              {words}
            </span>
            <span className={classes.count}>{number(count)}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
