import { UnstyledButton } from '@mantine/core';
import { Icon } from '#console/components/icon.tsx';
import type { Address } from '#console/hooks/use-address.ts';
import classes from './narrow-by.module.css';
import { NarrowBy, type NarrowValue, NarrowValues } from './narrow-by.tsx';
import * as text from './texts.ts';

export interface FacetList {
  /** Name of the filter that it sets. */
  readonly name: string;
  readonly words: string;
  readonly values: readonly NarrowValue[];
  readonly isOpen: boolean;
}

interface Props {
  readonly facets: readonly FacetList[];
  readonly address: Address;
  readonly onToggle: (name: string) => void;
}

/** Facets of the list, with the number of events of each value. */
export function Facets({ facets, address, onToggle }: Props) {
  return (
    <NarrowBy label={text.filterBy}>
      {facets
        .filter(({ values }) => values.length > 0)
        .map(({ name, words, values, isOpen }) => (
          <section key={name}>
            <UnstyledButton className={classes.head ?? ''} aria-expanded={isOpen} onClick={() => onToggle(name)}>
              <Icon name={isOpen ? 'down' : 'right'} size={12} />
              {words}
            </UnstyledButton>
            {isOpen ? <NarrowValues name={name} values={values} address={address} /> : null}
          </section>
        ))}
    </NarrowBy>
  );
}
