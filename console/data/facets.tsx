import { UnstyledButton } from '@mantine/core';
import choice from '#console/data/choice.module.css';
import { Icon } from '#console/facts/icon.tsx';
import type { Address } from '#console/hooks/use-address.ts';
import { number } from '#console/words/counts.ts';
import classes from './data.module.css';
import { switched } from './filters.ts';

interface FacetValue {
  readonly value: string;
  readonly words: string;
  readonly count: number;
}
export interface FacetList {
  /** Of the filter that it sets. */
  readonly name: string;
  readonly words: string;
  readonly values: readonly FacetValue[];
  readonly isOpen: boolean;
}

interface Props {
  readonly facets: readonly FacetList[];
  readonly address: Address;
  readonly onToggle: (name: string) => void;
}

/** Facets of the list, with the number of events of each value. */
export function Facets({ facets, address, onToggle }: Props) {
  const isSet = (name: string, value: string): boolean => (address.query[name] ?? '').split(',').includes(value);
  return (
    <aside className={classes.facets} aria-label="Narrow by">
      {facets
        .filter(({ values }) => values.length > 0)
        .map(({ name, words, values, isOpen }) => (
          <section key={name}>
            <UnstyledButton className={classes.facetHead} aria-expanded={isOpen} onClick={() => onToggle(name)}>
              <Icon name={isOpen ? 'down' : 'right'} size={12} />
              {words}
            </UnstyledButton>
            {isOpen ? (
              <ul className={classes.facetValues}>
                {values.map(({ value, words: label, count }) => (
                  <li key={value}>
                    <button
                      type="button"
                      className={`${choice.choice} ${classes.facetValue}`}
                      aria-pressed={isSet(name, value)}
                      onClick={() => address.change({ [name]: switched(address.query[name], value) })}
                    >
                      <span className={classes.facetWords} title={label}>
                        {label}
                      </span>
                      <span className={classes.facetCount}>{number(count)}</span>
                    </button>
                  </li>
                ))}
              </ul>
            ) : null}
          </section>
        ))}
    </aside>
  );
}
