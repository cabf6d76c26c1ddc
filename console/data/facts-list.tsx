import type { ReactNode } from 'react';
import classes from './facts-list.module.css';

type Fact = readonly [words: string, value: ReactNode];

/** Facts of one thing: a word and a value each. */
export function FactsList({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl className={classes.facts}>
      {facts.map(([words, value]) => (
        <div key={words}>
          <dt>{words}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
